"use client";

import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "#components/ui/cn.ts";
import { useWaiting } from "#components/ui/waiting.ts";

type Props = Omit<ComponentProps<"input">, "type" | "id"> & {
  checked: boolean;
  label: ReactNode;
  hint?: ReactNode;
};

const row = "flex min-w-0 items-start gap-2 py-1 text-14";
const box =
  "mt-0.5 size-4 shrink-0 appearance-none rounded-[4px] border border-line-strong bg-canvas checked:border-accent checked:bg-accent not-data-waiting:disabled:opacity-50";
const track =
  "relative mt-0.5 h-4 w-7 shrink-0 appearance-none rounded-full border border-line-strong bg-line-strong transition-colors after:absolute after:top-0 after:left-0 after:size-3.5 after:rounded-full after:bg-canvas after:transition-transform checked:border-accent checked:bg-accent checked:after:translate-x-3 checked:after:bg-accent-ink not-data-waiting:disabled:opacity-50";

/**
 * A checkbox that takes effect when its form is submitted: `<Checkbox label="projects:read" checked={…} onChange={…}
 * />`.
 */
export function Checkbox({ label, hint, className, disabled, ref, ...props }: Props) {
  const id = useId();
  return (
    <div className={cn(row, className)}>
      <input
        type="checkbox"
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className={box}
        {...useWaiting({ disabled, ref })}
        {...props}
      />
      <LabelAndHint id={id} label={label} hint={hint} />
    </div>
  );
}

/** A switch that takes effect at once: `<Switch label="Second factor" checked={…} onChange={…} />`. */
export function Switch({ label, hint, className, disabled, ref, ...props }: Props) {
  const id = useId();
  return (
    <div className={cn(row, className)}>
      <input
        type="checkbox"
        role="switch"
        id={id}
        aria-checked={props.checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className={track}
        {...useWaiting({ disabled, ref })}
        {...props}
      />
      <LabelAndHint id={id} label={label} hint={hint} />
    </div>
  );
}

/** The hint is outside the label element, so that the control's accessible name is the label alone. */
function LabelAndHint({ id, label, hint }: Pick<Props, "label" | "hint"> & { id: string }) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="break-words">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-13 text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
