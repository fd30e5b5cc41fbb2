// Composition root: the client from disk, then the app around it. Nothing here waits for the network.
// First: tokens.css says in which order the layers stand, and the first to name one decides.
import "./ui/tokens.css";
import "./ui/reset.css";
import { StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { browserPorts } from "./app/browser-ports.ts";
import { fetchStylesAgain } from "./app/styles-again.ts";
import { ClientContext } from "./features/services.ts";
import { NotLoaded } from "./features/NotLoaded.tsx";
import { openClient } from "./sync/open-client.ts";
import { applyAppearance, readAppearance } from "./ui/appearance.ts";
import { ErrorBoundary } from "./ui/ErrorBoundary.tsx";
import { watchForInstallOffer } from "./ui/install.ts";

const FIRST_SCREEN_WITHIN_MS = 2_000;
const OPENS_WITHIN_MS = 10_000;

applyAppearance(readAppearance());
watchForInstallOffer();
fetchStylesAgain();

// Opened before the first render rather than by Suspense, which would hold the first screen back (see ui/later.tsx).
const firstScreen = Promise.withResolvers<void>();
// A disk that is slow must not keep the device from the network.
setTimeout(firstScreen.resolve, FIRST_SCREEN_WITHIN_MS);
// A turn later: a screen may lead on to another.
const onShown = (): void => void setTimeout(firstScreen.resolve);
// It stands in index.html.
const screen = createRoot(document.getElementById("root") as HTMLElement);
const show = (content: ReactNode): void =>
  screen.render(
    <StrictMode>
      <ErrorBoundary>{content}</ErrorBoundary>
    </StrictMode>,
  );
/** Raised by each thing to show, so that code which comes late doesn't cover what is there by then. */
let turn = 0;
function cannotOpen(reason: unknown): void {
  const mine = ++turn;
  void import("./app/CannotOpen.tsx")
    .then(
      ({ CannotOpen }) => <CannotOpen reason={reason} />,
      () => <NotLoaded />,
    )
    .then((why) => mine === turn && show(why));
}
const opening = openClient(browserPorts(firstScreen.promise, () => cannotOpen("blocked")));
// A database that doesn't answer must not leave an empty page; should it still come, it is shown.
const slow = setTimeout(() => turn === 0 && cannotOpen(new DOMException("", "TimeoutError")), OPENS_WITHIN_MS);
opening
  .finally(() => clearTimeout(slow))
  .then((client) => {
    turn += 1;
    show(
      <ClientContext value={client}>
        <App onShown={onShown} />
      </ClientContext>,
    );
  }, cannotOpen);
