"use client";

import { type KeyboardEvent, useRef, useState } from "react";
import { shown } from "#app/(console)/database/tables/[table]/row-query.ts";
import { cn } from "#components/ui/cn.ts";
import { Input } from "#components/ui/input.tsx";

/** The time in which a press that left the cell ends, be it the first of two. */
const PRESS_MS = 500;

/** A value of a row, edited in place. */
export function Cell({
  label,
  value,
  staged,
  deleted,
  tabIndex,
  shifts,
  onSave,
}: {
  label: string;
  value: unknown;
  /** The new value; undefined if it stays unchanged. */
  staged: string | null | undefined;
  /** True if the row is staged for deletion. */
  deleted: boolean;
  tabIndex: number;
  /** True if the rows move once a value is staged. */
  shifts: boolean;
  onSave: ((text: string | null) => void) | undefined;
}) {
  // Saving changes the row as it was when the editing began: the row may be read again meanwhile.
  const [draft, setDraft] = useState<{ text: string; before: string; save: typeof onSave }>();
  const leftByKey = useRef(false);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
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
    const before = present === null ? "" : text;
    const begin = () => !deleted && setDraft({ text: before, before, save: onSave });
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

  /** Takes changed text as Enter does; not before the rows may move under the pointer that has left the cell. */
  function left() {
    if (leftByKey.current) return;
    const take = () => {
      if (draft && draft.text !== draft.before) draft.save?.(draft.text);
      setDraft(undefined);
    };
    if (shifts) leaving.current = setTimeout(take, PRESS_MS);
    else take();
  }
  return (
    <Input
      autoFocus
      aria-label={label}
      title="Enter takes it, Alt with Enter takes null, Esc leaves it"
      className="h-7 min-w-40 font-mono"
      value={draft.text}
      onChange={(event) => setDraft({ ...draft, text: event.target.value })}
      onBlur={left}
      onFocus={() => clearTimeout(leaving.current)}
      onKeyDown={keyed}
    />
  );
}
