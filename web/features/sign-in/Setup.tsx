// First run, and any later workspace: the owner's account where there is none yet, the workspace's name, and the
// set-up code where the deployment asks for it.
import type { ReactElement } from "react";
import { Link, navigate } from "../navigation.tsx";
import type { Failure } from "#protocol/errors.ts";
import { createWorkspace, signUp, type WorkspaceCreated } from "#protocol/http.ts";
import { WORKSPACE_NAME_MAX_CHARS } from "#protocol/limits.ts";
import { parse } from "#protocol/parse.ts";
import type { Result } from "#protocol/result.ts";
import { door } from "../../ui/strings-door.ts";
import { TextField } from "../../ui/TextField.tsx";
import { faultOf, formFault, useSubmit } from "../form.ts";
import { channelPath, SETUP, SIGN_IN, withNext } from "../paths.ts";
import { useClient, useView } from "../services.ts";
import { CredentialFields, CREDENTIALS } from "./CredentialFields.tsx";
import { Form } from "./Form.tsx";
import { Frame } from "./Frame.tsx";
import styles from "./Form.module.css";

export function Setup(): ReactElement {
  const { account } = useClient();
  const hasAccount = useView(account.session).state === "signed-in";
  const needsCode = useView(account.config)?.openSignup === false;

  async function setUp(field: (name: string) => string): Promise<Result<WorkspaceCreated, Failure>> {
    const code = field("setupCode").trim();
    const setupCode = code === "" ? {} : { setupCode: code };
    const workspace = parse(createWorkspace, { name: field("workspace"), ...setupCode });
    if (!workspace.ok) return aboutWorkspace(workspace);
    // When it fails after the account was made, the account stays and only the rest is asked again.
    if (!hasAccount) {
      const form = parse(signUp, {
        name: field("name"),
        email: field("email"),
        password: field("password"),
        ...setupCode,
      });
      const signedUp = form.ok ? await account.signUp(form.value) : form;
      if (!signedUp.ok) return signedUp;
    }
    return aboutWorkspace(await account.createWorkspace(workspace.value));
  }

  const [submission, submit] = useSubmit(setUp, ({ workspace, general }) =>
    navigate(channelPath(workspace.slug, general), { replace: true }),
  );
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
    </Frame>
  );
}

/** The contract calls the workspace's name `name`, as it does the person's; in this form they are two fields. */
function aboutWorkspace<Value>(result: Result<Value, Failure>): Result<Value, Failure> {
  if (result.ok) return result;
  return { ok: false, error: { ...result.error, detail: result.error.detail.replace(/^name(?=[: ])/, "workspace") } };
}
