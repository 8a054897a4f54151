"use client";

import { useEffect, useRef, useState } from "react";
import { Input } from "#components/ui/input.tsx";

const typingMs = 250;

/** Finds choices by name on the server; shown once there are `more` than a list offers at a time. */
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
