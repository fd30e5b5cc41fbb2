// What this is, and the ways in.
import type { ReactElement } from "react";
import { Link, navigate, Redirect } from "../navigation.tsx";
import { failure } from "#protocol/errors.ts";
import { Button } from "../../ui/Button.tsx";
import { install, installOffer } from "../../ui/install.ts";
import { door } from "../../ui/strings-door.ts";
import { TextField } from "../../ui/TextField.tsx";
import { useSubmit } from "../form.ts";
import { joinPath, SIGN_UP } from "../paths-more.ts";
import { SETUP, SIGN_IN } from "../paths.ts";
import { useClient, useView } from "../services.ts";
import { Form } from "./Form.tsx";
import { Frame } from "./Frame.tsx";
import styles from "./Welcome.module.css";

export function Welcome(): ReactElement {
  const { account } = useClient();
  const isOpen = useView(account.config)?.openSignup ?? true;
  const canInstall = useView(installOffer);
  const [submission, submit] = useSubmit(
    (field) => {
      const code = codeIn(field("link"));
      return code === null ? { ok: false, error: failure("invalid") } : Promise.resolve({ ok: true, value: code });
    },
    (code) => navigate(joinPath(code)),
  );

  if (useView(account.session).state === "signed-in") return <Redirect to="/" />;
  return (
    <Frame title={door.welcome.title} lead={door.welcome.lead}>
      <ul className={styles.points}>
        {door.welcome.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <nav className={styles.ways}>
        <Link href={SIGN_IN} className={styles.primary}>
          {door.welcome.signIn}
        </Link>
        <Link href={isOpen ? SIGN_UP : SETUP} className={styles.way}>
          {isOpen ? door.welcome.createWorkspace : door.welcome.setUp}
        </Link>
      </nav>
      <Form act={door.welcome.join} look="plain" submission={submission} fault={undefined} onSubmit={submit}>
        <TextField
          name="link"
          label={door.welcome.joinLabel}
          hint={door.welcome.joinHint}
          error={submission.state === "failed" ? door.welcome.joinFault : undefined}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
        />
      </Form>
      {canInstall && (
        <Button look="quiet" onClick={() => void install()}>
          {door.welcome.install}
        </Button>
      )}
    </Frame>
  );
}

/** The code in a pasted link, or a bare code; null for anything else. */
function codeIn(pasted: string): string | null {
  return /(?:^|\/join\/)([A-Za-z0-9_-]{8,})\/?$/.exec(pasted.trim())?.[1] ?? null;
}
