// Sign in by email and password, then on to where one was going.
import { useState, type ReactElement } from "react";
import { Link, navigate, Redirect, useSearch } from "../navigation.tsx";
import type { Failure } from "#protocol/errors.ts";
import { ok, type Result } from "#protocol/result.ts";
import { door } from "../../ui/strings-door.ts";
import { formFault, useSubmit } from "../form.ts";
import { nextOf, SIGN_UP, withNext } from "../paths.ts";
import { useClient, useView } from "../services.ts";
import { CredentialFields, CREDENTIALS } from "./CredentialFields.tsx";
import { Form } from "./Form.tsx";
import { Frame } from "./Frame.tsx";
import { OtherPerson } from "./OtherPerson.tsx";
import styles from "./Form.module.css";

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Another than the one whose changes wait here: what becomes of those? */
interface Asked {
  readonly as: Credentials;
  readonly name: string;
  readonly count: number;
}

export function SignIn(): ReactElement {
  const { account } = useClient();
  const session = useView(account.session);
  const [view] = useState(() => account.unsent());
  const unsent = useView(view);
  const [asked, setAsked] = useState<Asked | null>(null);
  const next = nextOf(useSearch());
  const ended = session.state === "signed-out" ? session.person : null;
  const count = unsent.state === "ready" ? unsent.value.waitingCount + unsent.value.refusedCount : 0;

  async function enter(as: Credentials): Promise<Result<boolean, Failure>> {
    if (ended !== null && count > 0 && as.email.toLowerCase() !== ended.email.toLowerCase()) {
      setAsked({ as, name: ended.name, count });
      return ok(false);
    }
    const signedIn = await account.signIn(as);
    return signedIn.ok ? ok(true) : signedIn;
  }

  async function decide({ as }: Asked, queue: "keep" | "discard"): Promise<Result<void, Failure>> {
    const left = await account.signOut(queue);
    const entered = left.ok ? await account.signIn(as) : left;
    if (entered.ok) navigate(next, { replace: true });
    return entered;
  }

  const [submission, submit] = useSubmit(
    (field) => enter({ email: field("email").trim(), password: field("password") }),
    (isIn) => {
      if (isIn) navigate(next, { replace: true });
    },
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
      {asked !== null && (
        <OtherPerson
          name={asked.name}
          count={asked.count}
          onDecide={(queue) => decide(asked, queue)}
          onClose={() => setAsked(null)}
        />
      )}
    </Frame>
  );
}
