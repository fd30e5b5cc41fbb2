// Light or dark, roomy or dense: for this device.
import type { ReactElement } from "react";
import { appearance, setAppearance } from "../../ui/choose-appearance.ts";
import type { Density, Theme } from "../../ui/appearance.ts";
import { s } from "../../ui/strings-more.ts";
import { Screen } from "../Screen.tsx";
import { useView } from "../services.ts";
import styles from "./Appearance.module.css";

const THEMES: readonly Theme[] = ["system", "light", "dark"];
const DENSITIES: readonly Density[] = ["comfortable", "compact"];

export function Appearance(): ReactElement {
  const { theme, density } = useView(appearance);
  const { appearance: says } = s;
  return (
    <Screen title={says.title} hasBack>
      <div className={styles.groups}>
        <Choice
          name="theme"
          legend={says.theme}
          options={THEMES}
          labels={says.themes}
          chosen={theme}
          onChoose={(chosen) => setAppearance({ theme: chosen })}
        />
        <Choice
          name="density"
          legend={says.density}
          options={DENSITIES}
          labels={says.densities}
          chosen={density}
          onChoose={(chosen) => setAppearance({ density: chosen })}
        />
      </div>
    </Screen>
  );
}

interface ChoiceProps<Option extends string> {
  readonly name: string;
  readonly legend: string;
  readonly options: readonly Option[];
  readonly labels: Readonly<Record<Option, string>>;
  readonly chosen: Option;
  readonly onChoose: (option: Option) => void;
}

function Choice<Option extends string>(props: ChoiceProps<Option>): ReactElement {
  const { name, legend, options, labels, chosen, onChoose } = props;
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{legend}</legend>
      {options.map((option) => (
        <label key={option} className={styles.option}>
          <input type="radio" name={name} checked={option === chosen} onChange={() => onChoose(option)} />
          {labels[option]}
        </label>
      ))}
    </fieldset>
  );
}
