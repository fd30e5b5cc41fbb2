// A form of these screens: fields, its fault if it has one, and the button that sends it.
import type { FormEvent, ReactElement, ReactNode } from "react";
import { Button } from "../../ui/Button.tsx";
import { FormFault } from "../../ui/FormFault.tsx";
import type { Submission } from "../form.ts";
import styles from "./Form.module.css";

interface FormProps {
  readonly act: string;
  readonly look?: "primary" | "plain";
  readonly submission: Submission;
  readonly fault: string | undefined;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly children?: ReactNode;
}

export function Form({ act, look = "primary", submission, fault, onSubmit, children }: FormProps): ReactElement {
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      {children}
      <FormFault>{fault}</FormFault>
      <Button type="submit" look={look} busy={submission.state === "busy"}>
        {act}
      </Button>
    </form>
  );
}
