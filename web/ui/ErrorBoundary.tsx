// Where a bug in a part of the screen ends: the rest stays usable, what was written is kept, and there is a way on.
import { Component, type ReactNode } from "react";
import { Button } from "./Button.tsx";
import { EmptyState } from "./EmptyState.tsx";
import { t } from "./strings.ts";

interface ErrorBoundaryProps {
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly hasFailed: boolean;
}

/** Give it a `key` by place: another place starts anew. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { hasFailed: false };

  static getDerivedStateFromError(): ErrorBoundaryState {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <EmptyState
        title={t.broken.title}
        action={
          <Button look="primary" onClick={() => location.reload()}>
            {t.broken.reload}
          </Button>
        }
      >
        {t.broken.text}
      </EmptyState>
    );
  }
}
