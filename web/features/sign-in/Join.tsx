// Join by link: first what one is invited to and by whom; then, where needed, an account; then in.
import { Suspense, use, useRef, useState, type ReactElement } from "react";
import { Link, navigate } from "../navigation.tsx";
import { ERRORS, type Failure } from "#protocol/errors.ts";
import { signUp, type Invitation } from "#protocol/http.ts";
import { parse } from "#protocol/parse.ts";
import { ok, type Result } from "#protocol/result.ts";
import type { WorkspaceRef } from "../../store/snapshots.ts";
import type { Account } from "../../sync/client.ts";
import { Button } from "../../ui/Button.tsx";
import { door } from "../../ui/strings-door.ts";
import { formFault, useSubmit } from "../form.ts";
import { startPath } from "../paths-more.ts";
import { WELCOME } from "../paths.ts";
import { useClient, useView } from "../services.ts";
import { CredentialFields, CREDENTIALS } from "./CredentialFields.tsx";
import { Form } from "./Form.tsx";
import { Frame } from "./Frame.tsx";
import { useOtherPerson } from "./OtherPerson.tsx";
import styles from "./Form.module.css";

type Asked = Promise<Result<Invitation, Failure>>;

/** Give it a `key` by code: another invitation is asked for anew. */
export function Join({ code }: { readonly code: string }): ReactElement {
  const { account } = useClient();
  const [asked, setAsked] = useState<Asked>(() => account.invitation(code));
  return (
    <Suspense fallback={<Frame title={door.loading} />}>
      <Invited code={code} asked={asked} onRetry={() => setAsked(account.invitation(code))} />
    </Suspense>
  );
}

interface InvitedProps {
  readonly code: string;
  readonly asked: Asked;
  readonly onRetry: () => void;
}

function Invited({ code: invited, asked, onRetry }: InvitedProps): ReactElement {
  const invitation = use(asked);
  const { join } = door;
  if (!invitation.ok) {
    const { code, detail } = invitation.error;
    // It may be a good one: the network alone was in the way.
    const title = ERRORS[code].retry === "with-backoff" ? join.unknown : join.cannot;
    return (
      <Frame title={title} lead={detail}>
        <Button onClick={onRetry}>{join.retry}</Button>
        <Link href={WELCOME}>{join.home}</Link>
      </Frame>
    );
  }
  const { workspace, invitedBy, members, role } = invitation.value;
  return (
    <Frame
      title={join.title(workspace.name)}
      lead={[join.by(invitedBy), join.members(members), join.as[role]].join(" ")}
    >
      <Enter code={invited} />
    </Frame>
  );
}

/** `asking`: nothing was asked yet. The other two are the forms of someone who isn't signed in. */
type Step = "asking" | "new" | "known";

function Enter({ code }: { readonly code: string }): ReactElement {
  const { account } = useClient();
  const session = useView(account.session);
  const [step, setStep] = useState<Step>("asking");
  const isSignedIn = session.state === "signed-in";

  /** What was joined, for where one goes on when another person's changes had to be asked about first. */
  const joined = useRef<WorkspaceRef | null>(null);
  const goOn = (): void => {
    if (joined.current !== null) navigate(startPath(joined.current.slug), { replace: true });
  };
  const otherPerson = useOtherPerson(goOn);

  async function join(): Promise<Result<void, Failure>> {
    const answer = await account.join(code);
    if (!answer.ok) return answer;
    joined.current = answer.value;
    return ok(undefined);
  }

  const [submission, submit, forget] = useSubmit(
    async (field): Promise<Result<boolean, Failure>> => {
      if (isSignedIn) {
        const answer = await join();
        return answer.ok ? ok(true) : answer;
      }
      if (step === "asking") {
        setStep("new");
        return ok(false);
      }
      const entering = enteringAs(account, step, code, field);
      if (!entering.ok) return entering;
      const { email, enter } = entering.value;
      return otherPerson.enter(email, async () => {
        const entered = await enter();
        return entered.ok ? join() : entered;
      });
    },
    (isIn) => isIn && goOn(),
  );

  /** Email and password stay: of an account that was made while the answer was lost they are the right ones. */
  function change(): void {
    setStep(step === "new" ? "known" : "new");
    forget();
  }

  const isAsking = isSignedIn || step === "asking";
  return (
    <>
      <Form
        act={isAsking ? door.join.act : step === "new" ? door.signUp.act : door.signIn.act}
        submission={submission}
        fault={formFault(submission, CREDENTIALS)}
        onSubmit={submit}
      >
        {!isAsking && <CredentialFields submission={submission} isNew={step === "new"} />}
      </Form>
      {isSignedIn && <p className={styles.aside}>{door.join.signedInAs(session.person.name)}</p>}
      {!isAsking && (
        <p className={styles.aside}>
          {step === "new" ? door.signUp.toSignIn : door.signIn.toSignUp}{" "}
          <Button look="quiet" onClick={change}>
            {step === "new" ? door.signUp.toSignInAct : door.signIn.toSignUpAct}
          </Button>
        </p>
      )}
      {otherPerson.dialog}
    </>
  );
}

interface EnteringAs {
  /** Null for a new account. */
  readonly email: string | null;
  readonly enter: () => Promise<Result<void, Failure>>;
}

function enteringAs(
  account: Account,
  step: Step,
  invitation: string,
  field: (name: string) => string,
): Result<EnteringAs, Failure> {
  const [email, password] = [field("email").trim(), field("password")];
  if (step === "known") return ok({ email, enter: () => account.signIn({ email, password }) });
  const form = parse(signUp, { name: field("name"), email, password, invitation });
  return form.ok ? ok({ email: null, enter: () => account.signUp(form.value) }) : form;
}
