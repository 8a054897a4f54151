import type { ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";

/** Scrolls content that may be larger than its box, by the keyboard too: `<Scrolling label="Rows">…</Scrolling>`. */
export function Scrolling({
  label,
  className,
  children,
}: {
  label: string;
  className: string;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
    <section tabIndex={0} aria-label={label} className={cn("overflow-auto", className)}>
      {children}
    </section>
  );
}
