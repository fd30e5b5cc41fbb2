// Composition root: the client from disk, then the app around it. Nothing here waits for the network.
// First: tokens.css says in which order the layers stand, and the first to name one decides.
import "./ui/tokens.css";
import "./ui/reset.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { browserPorts } from "./app/browser-ports.ts";
import { CannotOpen } from "./app/CannotOpen.tsx";
import { ClientContext } from "./features/services.ts";
import { openClient } from "./sync/open-client.ts";
import { applyAppearance } from "./ui/appearance.ts";
import { ErrorBoundary } from "./ui/ErrorBoundary.tsx";
import { watchForInstallOffer } from "./ui/install.ts";

applyAppearance();
watchForInstallOffer();

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
// Opened before the first render rather than by Suspense, which would hold the first screen back (see ui/later.tsx).
const opened = await openClient(browserPorts()).then(
  (client) => (
    <ClientContext value={client}>
      <App />
    </ClientContext>
  ),
  (reason: unknown) => <CannotOpen reason={reason} />,
);
createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>{opened}</ErrorBoundary>
  </StrictMode>,
);
