// The fields of an account, for every form that makes or opens one.
import type { ReactElement } from "react";
import { EMAIL_MAX_CHARS, PASSWORD_MIN_CHARS, PERSON_NAME_MAX_CHARS } from "#protocol/field-limits.ts";
import { door } from "../../ui/strings-door.ts";
import { TextField } from "../../ui/TextField.tsx";
import { faultOf, type Submission } from "../form.ts";

interface CredentialFieldsProps {
  readonly submission: Submission;
  /** A new account also takes a name, and says what a password must be. */
  readonly isNew: boolean;
  readonly email?: string | undefined;
}

export function CredentialFields({ submission, isNew, email }: CredentialFieldsProps): ReactElement {
  const { form, signUp } = door;
  return (
    <>
      {isNew && (
        <TextField
          name="name"
          label={form.name}
          hint={signUp.nameHint}
          error={faultOf(submission, "name", form.name)}
          autoComplete="name"
          maxLength={PERSON_NAME_MAX_CHARS}
          required
        />
      )}
      <TextField
        name="email"
        type="email"
        label={form.email}
        error={faultOf(submission, "email", form.email)}
        autoComplete="username"
        autoCapitalize="none"
        maxLength={EMAIL_MAX_CHARS}
        defaultValue={email}
        required
      />
      <TextField
        name="password"
        type="password"
        label={form.password}
        hint={isNew ? signUp.passwordHint(PASSWORD_MIN_CHARS) : undefined}
        error={faultOf(submission, "password", form.password)}
        autoComplete={isNew ? "new-password" : "current-password"}
        required
      />
    </>
  );
}

export const CREDENTIALS: readonly string[] = ["name", "email", "password"];
