import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "#components/ui/cn.ts";
import { Pressable } from "#components/ui/pressable.tsx";

/**
 * A button with an icon only; its label is the accessible name and the tooltip: `<IconButton icon={X} label="Close"
 * />`.
 */
export function IconButton({
  icon: Icon,
  label,
  className,
  ...props
}: Omit<ComponentProps<"button">, "children"> & { icon: LucideIcon; label: string }) {
  return (
    <Pressable
      aria-label={label}
      title={label}
      className={cn(
        "inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink not-data-waiting:disabled:opacity-50",
        className,
      )}
      {...props}
    >
      <Icon aria-hidden className="size-4" />
    </Pressable>
  );
}
