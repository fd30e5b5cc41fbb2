// The screens of a workspace besides its channels.
import type { ReactElement } from "react";
import { Redirect, Route, Switch } from "wouter";
import { Browse } from "../features/channels/Browse.tsx";
import { Outbox } from "../features/outbox/Outbox.tsx";
import { workspacePath } from "../features/paths.ts";
import type { WorkspaceSnapshot } from "../store/snapshots.ts";

export function WorkspaceScreens({ workspace }: { readonly workspace: WorkspaceSnapshot }): ReactElement {
  return (
    <Switch>
      <Route path="/w/:ws/browse">
        <Browse workspace={workspace} />
      </Route>
      <Route path="/w/:ws/outbox" component={Outbox} />
      <Route>
        <Redirect to={workspacePath(workspace.ref.slug)} replace />
      </Route>
    </Switch>
  );
}
