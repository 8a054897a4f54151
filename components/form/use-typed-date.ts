"use client";

import { type ChangeEvent, useState } from "react";

/** No typed year is earlier; the digits of 2026 arrive as the years 2, 20 and 202 first. */
const FIRST = "1970";

/**
 * Returns the props of a date's input whose value takes effect while it is typed: `<Input type="date"
 * {...useTypedDate(from, setFrom)} />`. An incomplete date changes nothing; an emptied one does when it is left.
 */
export function useTypedDate(value: string, onChange: (value: string) => void) {
  const [draft, setDraft] = useState<string>();
  return {
    value: draft ?? value,
    onChange({ target }: ChangeEvent<HTMLInputElement>) {
      setDraft(target.value);
      if (target.value >= FIRST) onChange(target.value);
    },
    onBlur() {
      setDraft(undefined);
      if (draft === "" && value !== "") onChange("");
    },
  };
}
