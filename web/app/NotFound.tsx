// An address that leads nowhere.
import type { ReactElement } from "react";
import { Link } from "../features/navigation.tsx";
import { Frame } from "../features/sign-in/Frame.tsx";
import { door } from "../ui/strings-door.ts";

export function NotFound(): ReactElement {
  return (
    <Frame title={door.notFound.title} lead={door.notFound.text}>
      <Link href="/">{door.notFound.back}</Link>
    </Frame>
  );
}
