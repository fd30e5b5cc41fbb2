// A new account, where sign-up is open; elsewhere it says how one gets in.
import type { ReactElement } from "react";
import { Link, navigate, useSearch } from "../navigation.tsx";
import { signUp } from "#protocol/http.ts";
import { parse } from "#protocol/parse.ts";
import { door } from "../../ui/strings-door.ts";
import { formFault, useSubmit } from "../form.ts";
import { nextOf } from "../paths-more.ts";
import { SETUP, SIGN_IN, withNext } from "../paths.ts";
import { useClient, useView } from "../services.ts";
import { CredentialFields, CREDENTIALS } from "./CredentialFields.tsx";
import { Form } from "./Form.tsx";
import { Frame } from "./Frame.tsx";
import { useOtherPerson } from "./OtherPerson.tsx";
import styles from "./Form.module.css";

export function SignUp(): ReactElement {
  const { account } = useClient();
  const isOpen = useView(account.config)?.openSignup ?? true;
  const next = nextOf(useSearch());
  const goOn = (): void => navigate(next === "/" ? SETUP : next, { replace: true });
  const otherPerson = useOtherPerson(goOn);
  const [submission, submit] = useSubmit(
    (field) => {
      const form = parse(signUp, { name: field("name"), email: field("email"), password: field("password") });
      return form.ok ? otherPerson.enter(null, () => account.signUp(form.value)) : form;
    },
    (isIn) => isIn && goOn(),
  );

  return (
    <Frame title={door.signUp.title}>
      {isOpen ? (
        <Form
          act={door.signUp.act}
          submission={submission}
          fault={formFault(submission, CREDENTIALS)}
          onSubmit={submit}
        >
          <CredentialFields submission={submission} isNew />
        </Form>
      ) : (
        <p className={styles.card}>
          {door.signUp.closed} <Link href={SETUP}>{door.welcome.setUp}</Link>
        </p>
      )}
      <p className={styles.aside}>
        {door.signUp.toSignIn} <Link href={withNext(SIGN_IN, next)}>{door.signUp.toSignInAct}</Link>
      </p>
      {otherPerson.dialog}
    </Frame>
  );
}
