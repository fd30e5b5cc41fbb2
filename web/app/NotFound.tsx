// An address that leads nowhere.
import type { ReactElement } from "react";
import { Link } from "../features/navigation.tsx";
import { Frame } from "../features/sign-in/Frame.tsx";
import { s } from "../ui/strings-more.ts";

export function NotFound(): ReactElement {
  return (
    <Frame title={s.notFound.title} lead={s.notFound.text}>
      <Link href="/">{s.notFound.back}</Link>
    </Frame>
  );
}
