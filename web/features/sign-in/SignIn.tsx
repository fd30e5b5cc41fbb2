// Sign in by email and password, then on to where one was going.
import type { ReactElement } from "react";
import { Link, navigate, Redirect, useSearch } from "../navigation.tsx";
import { door } from "../../ui/strings-door.ts";
import { formFault, useSubmit } from "../form.ts";
import { nextOf, SIGN_UP } from "../paths-more.ts";
import { withNext } from "../paths.ts";
import { useClient, useView } from "../services.ts";
import { CredentialFields, CREDENTIALS } from "./CredentialFields.tsx";
import { Form } from "./Form.tsx";
import { Frame } from "./Frame.tsx";
import { useOtherPerson } from "./OtherPerson.tsx";
import styles from "./Form.module.css";

export function SignIn(): ReactElement {
  const { account } = useClient();
  const session = useView(account.session);
  const next = nextOf(useSearch());
  const goOn = (): void => navigate(next, { replace: true });
  const otherPerson = useOtherPerson(goOn);
  const ended = session.state === "signed-out" ? session.person : null;

  const [submission, submit] = useSubmit(
    (field) => {
      const as = { email: field("email").trim(), password: field("password") };
      return otherPerson.enter(as.email, () => account.signIn(as));
    },
    (isIn) => isIn && goOn(),
  );

  // Also where the browser held a session that this device had no note of: the app finds out after it opened.
  if (session.state === "signed-in") return <Redirect to={next} />;
  return (
    <Frame title={door.signIn.title} lead={ended === null ? undefined : door.signIn.again(ended.name)}>
      <Form act={door.signIn.act} submission={submission} fault={formFault(submission, CREDENTIALS)} onSubmit={submit}>
        <CredentialFields submission={submission} isNew={false} email={ended?.email} />
      </Form>
      <p className={styles.aside}>
        {door.signIn.toSignUp} <Link href={withNext(SIGN_UP, next)}>{door.signIn.toSignUpAct}</Link>
      </p>
      {otherPerson.dialog}
    </Frame>
  );
}
