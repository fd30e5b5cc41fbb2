// Before anything is typed: what can be asked, each a press away.
import type { ReactElement } from "react";
import { FILTERS } from "../../sync/search/parse-query.ts";
import { q } from "../../ui/strings-search.ts";
import styles from "./Search.module.css";

export function Hints({ onAdd }: { readonly onAdd: (text: string) => void }): ReactElement {
  return (
    <section className={styles.hints} aria-labelledby="search-hints">
      <h2 id="search-hints" className={styles.day}>
        {q.hints.title}
      </h2>
      <ul className={styles.list}>
        {FILTERS.map((name) => (
          <li key={name}>
            <button type="button" className={styles.suggestion} onClick={() => onAdd(`${name}:`)}>
              <code>{name}:</code>
              <span className={styles.hint}>{q.hints.filters[name]}</span>
            </button>
          </li>
        ))}
        <li className={styles.suggestion}>
          <code>{q.hints.phraseExample}</code>
          <span className={styles.hint}>{q.hints.phrase}</span>
        </li>
        <li className={styles.suggestion}>
          <code>{q.hints.excludeExample}</code>
          <span className={styles.hint}>{q.hints.exclude}</span>
        </li>
      </ul>
    </section>
  );
}
