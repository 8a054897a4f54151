"use client";

import { useEffect, useRef, useState } from "react";
import { Input } from "#components/ui/input.tsx";

const typingMs = 250;

/** Searches choices by name on the server; shown once there are `more` than a list shows at once, and from then on. */
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
  const [shown, setShown] = useState(more);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (more && !shown) setShown(true);
  if (!shown) return null;
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
