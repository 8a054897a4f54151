"use client";

import { Search } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { LONGEST } from "#components/table/list.ts";
import type { FilterOf } from "#components/table/use-filters.ts";
import { Button } from "#components/ui/button.tsx";
import { useChosen } from "#components/ui/chosen.ts";
import { cn } from "#components/ui/cn.ts";
import { Input } from "#components/ui/input.tsx";
import { type Option, Select, withChosen } from "#components/ui/select.tsx";

const typingMs = 250;

/**
 * The filters above a table, and a button that clears them: `<FilterBar filters={filters}><FilterSelect …
 * /></FilterBar>`.
 */
export function FilterBar({
  filters,
  children,
}: {
  filters: { active: boolean; clear: () => void };
  children: ReactNode;
}) {
  const bar = useRef<HTMLElement>(null);
  return (
    <search
      ref={bar}
      tabIndex={-1}
      className="flex flex-wrap items-center gap-2 has-[[role=status]:not(:empty)]:items-start"
    >
      {children}
      {filters.active && (
        <Button
          variant="ghost"
          onClick={() => {
            filters.clear();
            // The button is gone with the filters.
            bar.current?.focus();
          }}
        >
          Clear filters
        </Button>
      )}
    </search>
  );
}

/** A filter of known values; the first option matches all. */
export function FilterSelect<Name extends string>({
  filters,
  name,
  label,
  options,
  find,
  width = "sm:max-w-44",
  all = `Any ${label.toLowerCase()}`,
}: FilterOf<Name> & {
  options: readonly Option[];
  find?: ReactNode;
  width?: string;
  all?: string;
}) {
  const [chosen, choose] = useChosen(filters.values[name], (value) => filters.set(name, value));
  return (
    <>
      {find}
      <Select
        aria-label={label}
        className={cn("max-sm:min-w-[40%] max-sm:flex-1", width)}
        options={[{ value: "", label: all }, ...withChosen(options, chosen)]}
        value={chosen}
        onChange={choose}
      />
    </>
  );
}

/**
 * A filter of free text, applied when the person stops typing; `/` focuses the first one on the page. If the text is
 * longer than the sent part of it, a note says so.
 */
export function FilterSearch<Name extends string>({
  filters,
  name,
  label,
  longest = LONGEST,
}: FilterOf<Name> & { longest?: number }) {
  const noteId = useId();
  const value = filters.values[name];
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The value that the address gets from this field, a moment after it is typed. */
  const sent = useRef(value);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    clearTimeout(timer.current);
    setText(value);
  }, [value]);

  function type(next: string) {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = next;
      filters.set(name, next);
    }, typingMs);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <span className="relative max-sm:order-first max-sm:min-w-[60%] max-sm:flex-1 sm:w-64">
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted" />
      <Input
        type="search"
        data-search
        aria-label={label}
        placeholder={label}
        className="pl-8"
        value={text}
        onChange={(event) => type(event.target.value)}
        aria-describedby={noteId}
      />
      <span id={noteId} role="status" className="block text-12 text-muted empty:hidden">
        {text.trim().length > longest && `Only the first ${longest} characters count.`}
      </span>
    </span>
  );
}

/** Shown instead of rows if the filters match nothing. */
export function NoMatches({ filters }: { filters: { clear: () => void } }) {
  return (
    <div className="flex flex-col items-start gap-3 px-4 py-10 sm:items-center">
      <p className="text-muted">Nothing matches these filters.</p>
      <Button onClick={filters.clear}>Clear filters</Button>
    </div>
  );
}
