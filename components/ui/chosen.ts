"use client";

import { useEffect, useState } from "react";

/** What is chosen, shown at once, though what decides on it (the address) follows a moment later: `const [chosen, choose] = useChosen(value, onChange)`. */
export function useChosen<Value>(
  value: Value,
  onChange: (value: Value) => void,
): [Value, (value: Value) => void] {
  const [chosen, setChosen] = useState(value);
  useEffect(() => setChosen(value), [value]);
  return [
    chosen,
    (next) => {
      setChosen(next);
      onChange(next);
    },
  ];
}
