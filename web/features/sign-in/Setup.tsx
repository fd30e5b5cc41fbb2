// First run, and any later workspace: the owner's account where there is none yet, the workspace's name, and the
// set-up code where the deployment asks for it.
import { useRef, type ReactElement } from "react";
import { Link, navigate } from "../navigation.tsx";
import type { Failure } from "#protocol/errors.ts";
import { createWorkspace, signUp, type WorkspaceCreated } from "#protocol/http.ts";
import { WORKSPACE_NAME_MAX_CHARS } from "#protocol/field-limits.ts";
import { parse } from "#protocol/parse.ts";
import { ok, type Result } from "#protocol/result.ts";
import { door } from "../../ui/strings-door.ts";
import { TextField } from "../../ui/TextField.tsx";
import { faultOf, formFault, useSubmit } from "../form.ts";
import { KeptUnsent } from "../KeptUnsent.tsx";
import { channelPath, SETUP, SIGN_IN, withNext } from "../paths.ts";
import { useClient, useView } from "../services.ts";
import { CredentialFields, CREDENTIALS } from "./CredentialFields.tsx";
import { Form } from "./Form.tsx";
import { Frame } from "./Frame.tsx";
import { useOtherPerson } from "./OtherPerson.tsx";
import styles from "./Form.module.css";

export function Setup(): ReactElement {
  const { account } = useClient();
  const session = useView(account.session);
  const hasAccount = session.state === "signed-in";
  const needsCode = useView(account.config)?.openSignup === false;

  /** What was made, for where one goes on when another person's changes had to be asked about first. */
  const made = useRef<WorkspaceCreated | null>(null);
  const goOn = (): void => {
    if (made.current === null) return;
    const { workspace, general } = made.current;
    navigate(channelPath(workspace.slug, general), { replace: true });
  };
  const otherPerson = useOtherPerson(goOn);

  async function setUp(field: (name: string) => string): Promise<Result<boolean, Failure>> {
    const code = field("setupCode").trim();
    const setupCode = code === "" ? {} : { setupCode: code };
    const workspace = parse(createWorkspace, { name: field("workspace"), ...setupCode });
    if (!workspace.ok) return aboutWorkspace(workspace);
    const make = async (): Promise<Result<void, Failure>> => {
      const answer = aboutWorkspace(await account.createWorkspace(workspace.value));
      if (!answer.ok) return answer;
      made.current = answer.value;
      return ok(undefined);
    };
    if (hasAccount) {
      const answer = await make();
      return answer.ok ? ok(true) : answer;
    }
    const form = parse(signUp, {
      name: field("name"),
      email: field("email"),
      password: field("password"),
      ...setupCode,
    });
    if (!form.ok) return form;
    return otherPerson.enter(null, async () => {
      // When it fails after the account was made, the account stays and only the rest is asked again.
      const now = account.session.snapshot();
      const isIn = now.state === "signed-in" && now.person.email.toLowerCase() === form.value.email.toLowerCase();
      const signedUp = isIn ? ok(undefined) : await account.signUp(form.value);
      return signedUp.ok ? make() : signedUp;
    });
  }

  const [submission, submit] = useSubmit(setUp, (isIn) => isIn && goOn());
  const { setup, form } = door;
  return (
    <Frame title={hasAccount ? setup.titleWorkspace : setup.title} lead={hasAccount ? undefined : setup.lead}>
      <Form
        act={setup.act}
        submission={submission}
        fault={formFault(submission, [...CREDENTIALS, "workspace", "setupCode"])}
        onSubmit={submit}
      >
        {needsCode && (
          <TextField
            name="setupCode"
            label={form.setupCode}
            hint={setup.codeHint}
            error={faultOf(submission, "setupCode", form.setupCode)}
            autoComplete="off"
          />
        )}
        {!hasAccount && <CredentialFields submission={submission} isNew />}
        <TextField
          name="workspace"
          label={form.workspaceName}
          hint={setup.nameHint}
          error={faultOf(submission, "workspace", form.workspaceName)}
          autoComplete="organization"
          maxLength={WORKSPACE_NAME_MAX_CHARS}
          required
        />
      </Form>
      {!hasAccount && (
        <p className={styles.aside}>
          {door.signUp.toSignIn} <Link href={withNext(SIGN_IN, SETUP)}>{door.signUp.toSignInAct}</Link>
        </p>
      )}
      {session.state !== "nobody" && session.workspaces.length === 0 && <KeptUnsent />}
      {otherPerson.dialog}
    </Frame>
  );
}

/** The contract calls the workspace's name `name`, as it does the person's; in this form they are two fields. */
function aboutWorkspace<Value>(result: Result<Value, Failure>): Result<Value, Failure> {
  if (result.ok) return result;
  return { ok: false, error: { ...result.error, detail: result.error.detail.replace(/^name(?=[: ])/, "workspace") } };
}
