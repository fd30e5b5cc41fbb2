// Composition root: the client from disk, then the app around it. Nothing here waits for the network.
import { StrictMode, Suspense, use, type ReactElement } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { browserPorts } from "./app/browser-ports.ts";
import { ClientContext } from "./features/services.ts";
import { openClient } from "./sync/open-client.ts";
import { applyAppearance } from "./ui/appearance.ts";
import { ErrorBoundary } from "./ui/ErrorBoundary.tsx";
import { watchForInstallOffer } from "./ui/install.ts";
import "./ui/tokens.css";
import "./ui/reset.css";

applyAppearance();
watchForInstallOffer();

const opening = openClient(browserPorts());

function Root(): ReactElement {
  return (
    <ClientContext value={use(opening)}>
      <App />
    </ClientContext>
  );
}

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <Suspense fallback={null}>
        <Root />
      </Suspense>
    </ErrorBoundary>
  </StrictMode>,
);
