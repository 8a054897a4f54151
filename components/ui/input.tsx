"use client";

import {
  type ChangeEvent,
  type ComponentProps,
  type KeyboardEvent,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from "react";
import { cn } from "#components/ui/cn.ts";

const box = [
  "w-full min-w-0 rounded-md border border-line-strong bg-canvas text-16 text-ink sm:text-14",
  "aria-invalid:border-bad disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted",
];

/** One line of text. Inside a form use `TextField`, which adds label, hint and error. */
export function Input({ className, ...props }: Omit<ComponentProps<"input">, "ref">) {
  return (
    <input
      ref={useAdopting(props)}
      className={cn(box, "h-8 px-2.5", className)}
      onKeyDown={props.type === "search" ? onlySearch : undefined}
      {...props}
    />
  );
}

/** Every search finds while it is typed, so Enter must not submit the form around it. */
function onlySearch(event: KeyboardEvent): void {
  if (event.key === "Enter") event.preventDefault();
}

/**
 * Several lines of text; grows with its content if the browser supports that. Without kerning, because Chromium shapes
 * a long word anew for each of its lines: 25 s for 200 KB of Base64.
 */
export function Textarea({ className, rows = 3, ...props }: Omit<ComponentProps<"textarea">, "ref">) {
  return (
    <textarea
      ref={useAdopting(props)}
      rows={rows}
      className={cn(
        box,
        "field-sizing-content max-h-96 min-h-16 px-2.5 py-1.5 [font-kerning:none]",
        className,
      )}
      {...props}
    />
  );
}

/** Takes over text that was typed, or filled in by a password manager, before the page's scripts had loaded. */
function useAdopting<Control extends HTMLInputElement | HTMLTextAreaElement>({
  value,
  onChange,
}: {
  value?: string | number | readonly string[] | undefined;
  onChange?: ((event: ChangeEvent<Control>) => void) | undefined;
}) {
  const control = useRef<Control>(null);
  const adopt = useEffectEvent(() => {
    const { current } = control;
    if (!current || value === undefined) return;
    // A browser leaves out line breaks, and a date that is none.
    const isLeftOut = current.value === "" && current.type.startsWith("date");
    if (isLeftOut || onOneLine(current.value) === onOneLine(String(value))) return;
    // React has seen no change of it, so an event would not reach the handler.
    onChange?.({ target: current, currentTarget: current } as ChangeEvent<Control>);
  });
  // Before anything is rendered again, which would reset the control.
  useLayoutEffect(() => adopt(), []);
  return control;
}

const onOneLine = (text: string) => text.replaceAll(/[\r\n]/g, "");
