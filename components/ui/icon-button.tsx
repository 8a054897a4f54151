"use client";

import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "#components/ui/cn.ts";
import { Tip } from "#components/ui/tooltip.tsx";

/** A button of one icon; its label is its accessible name and its tooltip: `<IconButton icon={X} label="Close" />`. */
export function IconButton({
  icon: Icon,
  label,
  tip = true,
  className,
  ...props
}: Omit<ComponentProps<"button">, "children"> & { icon: LucideIcon; label: string; tip?: boolean }) {
  const button = (
    <button
      type="button"
      aria-label={label}
      className={cn(
        "inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink disabled:opacity-50",
        className,
      )}
      {...props}
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
  return tip ? <Tip text={label}>{button}</Tip> : button;
}
