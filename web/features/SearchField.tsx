// Where one types to narrow down a list.
import type { ReactElement } from "react";
import { TextField } from "../ui/TextField.tsx";

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (typed: string) => void;
  readonly className?: string;
}

export function SearchField({ label, value, onChange, className = "" }: SearchFieldProps): ReactElement {
  return (
    <TextField
      type="search"
      label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="off"
      className={className}
    />
  );
}
