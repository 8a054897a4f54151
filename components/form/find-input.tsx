"use client";

import { useEffect, useRef, useState } from "react";
import { Input } from "#components/ui/input.tsx";

const typingMs = 250;

/** Searches choices by name on the server; shown if there are `more` than a list shows at once. */
export function FindInput({
  what,
  more,
  onFind,
}: {
  what: string;
  more: boolean;
  onFind: (text: string) => void;
}) {
  const [text, setText] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (!more && text === "") return null;
  return (
    <Input
      type="search"
      aria-label={`Find ${what}`}
      placeholder={`Find ${what} by name`}
      value={text}
      onChange={(event) => {
        const typed = event.target.value;
        setText(typed);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onFind(typed.trim()), typingMs);
      }}
    />
  );
}
