import type { ComponentProps, ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";

type Props = Omit<ComponentProps<"input">, "type"> & {
  checked: boolean;
  label: ReactNode;
  hint?: ReactNode;
};

const tick =
  "checked:bg-[url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none' stroke='white' stroke-width='2'%3E%3Cpath d='m4 8.2 2.7 2.7L12 5.6'/%3E%3C/svg%3E\")]";

/** A yes or no that takes effect with its form: `<Checkbox label="projects:read" checked={…} onChange={…} />`. */
export function Checkbox({ label, hint, className, ...props }: Props) {
  return (
    <label className={cn("flex min-w-0 items-start gap-2 py-1 text-14", className)}>
      <input
        type="checkbox"
        className={cn(
          "mt-0.5 size-4 shrink-0 appearance-none rounded-[4px] border border-line-strong bg-canvas checked:border-accent checked:bg-accent disabled:opacity-50",
          tick,
        )}
        {...props}
      />
      <Label label={label} hint={hint} />
    </label>
  );
}

/** A yes or no that takes effect at once: `<Switch label="Second factor" checked={…} onChange={…} />`. */
export function Switch({ label, hint, className, ...props }: Props) {
  return (
    <label className={cn("flex min-w-0 items-start gap-2 py-1 text-14", className)}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={props.checked}
        className="relative mt-0.5 h-4 w-7 shrink-0 appearance-none rounded-full border border-line-strong bg-line-strong transition-colors after:absolute after:top-0 after:left-0 after:size-3.5 after:rounded-full after:bg-canvas after:transition-transform checked:border-accent checked:bg-accent checked:after:translate-x-3 checked:after:bg-accent-ink disabled:opacity-50"
        {...props}
      />
      <Label label={label} hint={hint} />
    </label>
  );
}

function Label({ label, hint }: { label: ReactNode; hint?: ReactNode }) {
  return (
    <span className="min-w-0">
      <span className="break-words">{label}</span>
      {hint && <span className="block text-13 text-muted">{hint}</span>}
    </span>
  );
}
