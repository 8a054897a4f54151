import type { ComponentProps } from "react";
import { cn } from "#components/ui/cn.ts";

const box = [
  "w-full min-w-0 rounded-md border border-line-strong bg-canvas text-16 text-ink sm:text-14",
  "aria-invalid:border-bad disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted",
];

/** One line of text. Inside a form use `TextField`, which adds label, hint and error. */
export function Input({ className, ...props }: ComponentProps<"input">) {
  return <input className={cn(box, "h-8 px-2.5", className)} {...props} />;
}

/**
 * Several lines of text; grows with its content if the browser supports that. Without kerning, because Chromium shapes
 * a long word anew for each of its lines: 25 s for 200 KB of Base64.
 */
export function Textarea({ className, rows = 3, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
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
