"use client";

import { useEffect, useState } from "react";

/**
 * Shows a choice at once, although the source of its value (the address) updates a moment later: `const [chosen,
 * choose] = useChosen(value, onChange)`.
 */
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
