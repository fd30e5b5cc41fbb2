// How much of every channel stays on this device, and of all of them together.
import { useState, type ReactElement } from "react";
import type { Keep } from "../../store/keep.ts";
import { bytesOf } from "../../ui/bytes.ts";
import { FormFault } from "../../ui/FormFault.tsx";
import { o } from "../../ui/strings-offline.ts";
import { usePlace } from "../services.ts";
import { KEEP_DAYS } from "./days.ts";
import styles from "./Offline.module.css";

const MB = 1_000_000;
const SIZES = [100 * MB, 250 * MB, 500 * MB, 1_000 * MB, 5_000 * MB] as const;

export function KeepSettings({ keep }: { readonly keep: Pick<Keep, "days" | "maxBytes"> }): ReactElement {
  const { commands } = usePlace().client;
  const [fault, setFault] = useState<string | null>(null);

  async function limit(to: Partial<typeof keep>): Promise<void> {
    const kept = await commands.keep({ do: "limit", to });
    setFault(kept.ok ? null : o.notKept(kept.error.detail));
  }

  return (
    <>
      <p className={styles.muted}>{o.keepText}</p>
      <fieldset className={styles.group}>
        <legend className={styles.legend}>{o.history}</legend>
        {KEEP_DAYS.filter((days) => days !== 0).map((days) => (
          <label key={String(days)} className={styles.option}>
            <input type="radio" name="keep-days" checked={keep.days === days} onChange={() => void limit({ days })} />
            {o.days(days)}
          </label>
        ))}
      </fieldset>
      <label className={styles.field}>
        <span className={styles.legend}>{o.cap}</span>
        <select
          className={styles.select}
          value={String(keep.maxBytes)}
          onChange={({ target }) => void limit({ maxBytes: target.value === "null" ? null : Number(target.value) })}
        >
          <option value="null">{o.anySize}</option>
          {SIZES.map((size) => (
            <option key={size} value={size}>
              {o.upTo(bytesOf(size))}
            </option>
          ))}
        </select>
      </label>
      <FormFault>{fault}</FormFault>
    </>
  );
}
