"use client";

import { type KeyboardEvent, useRef, useState } from "react";
import { shown } from "#app/(console)/database/tables/[table]/row-query.ts";
import { cn } from "#components/ui/cn.ts";
import { Input } from "#components/ui/input.tsx";

/** A value of a row, edited in place. */
export function Cell({
  label,
  value,
  staged,
  deleted,
  tabIndex,
  onSave,
}: {
  label: string;
  value: unknown;
  /** The new value; undefined if it stays unchanged. */
  staged: string | null | undefined;
  /** True if the row is staged for deletion. */
  deleted: boolean;
  tabIndex: number;
  onSave: ((text: string | null) => void) | undefined;
}) {
  // Saving changes the row as it was when the editing began: the row may be read again meanwhile.
  const [draft, setDraft] = useState<{ text: string; save: typeof onSave }>();
  const leftByKey = useRef(false);
  const present = staged === undefined ? value : staged;
  const text = present === null ? "null" : shown(present);
  const face = cn(
    present === null && "text-muted italic",
    staged !== undefined && "bg-warn-soft",
    deleted && "text-bad line-through",
  );
  /** Focuses the button, because the input that had the focus is gone. */
  function takeFocusBack(button: HTMLButtonElement | null) {
    if (!button || !leftByKey.current) return;
    leftByKey.current = false;
    button.focus();
  }

  function leave() {
    leftByKey.current = true;
    setDraft(undefined);
  }

  if (!onSave) return <span className={cn("block truncate px-2 py-1", face)}>{text}</span>;
  if (draft === undefined) {
    const begin = () => !deleted && setDraft({ text: present === null ? "" : text, save: onSave });
    return (
      <button
        type="button"
        title={text}
        aria-label={`${label}: ${text}${deleted ? ", to be deleted" : ""}`}
        tabIndex={tabIndex}
        ref={takeFocusBack}
        className={cn(
          "block w-full scroll-mt-8 truncate rounded-sm px-2 py-1 text-left hover:bg-hover",
          face,
        )}
        onDoubleClick={begin}
        onKeyDown={(event) => {
          if (event.key === "Enter") begin();
        }}
      >
        {text}
      </button>
    );
  }

  function keyed(event: KeyboardEvent) {
    if (event.key === "Escape") leave();
    if (event.key !== "Enter") return;
    event.preventDefault();
    // An empty text is a value; with Alt the value becomes NULL.
    draft?.save?.(event.altKey ? null : draft.text);
    leave();
  }
  return (
    <Input
      autoFocus
      aria-label={label}
      title="Enter takes it, Alt with Enter takes null, Esc leaves it"
      className="h-7 min-w-40 font-mono"
      value={draft.text}
      onChange={(event) => setDraft({ ...draft, text: event.target.value })}
      onBlur={() => setDraft(undefined)}
      onKeyDown={keyed}
    />
  );
}
