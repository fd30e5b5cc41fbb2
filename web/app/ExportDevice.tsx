// What is on this device as a file, wherever the app can't go on by itself.
import { useState, type ReactElement } from "react";
import { Button } from "../ui/Button.tsx";
import { r } from "../ui/strings-recovery.ts";

type State = "idle" | "busy" | "nothing";

/** @param of the database of whoever is here, where it is known who that is */
export function ExportDevice({ of }: { readonly of?: string }): ReactElement {
  const [state, setState] = useState<State>("idle");

  async function run(): Promise<void> {
    setState("busy");
    const day = new Date().toISOString().slice(0, 10);
    const { exportDevice } = await import("./export-device.ts");
    const isDone = await exportDevice(r.export.file(day), of).catch(() => false);
    setState(isDone ? "idle" : "nothing");
  }

  if (state === "nothing") return <p role="alert">{r.export.nothing}</p>;
  return (
    <Button busy={state === "busy"} onClick={() => void run()}>
      {state === "busy" ? r.export.busy : r.export.act}
    </Button>
  );
}
