"use client";

import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "#components/ui/cn.ts";
import { shorten } from "#components/ui/copyable.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import { useWaiting } from "#components/ui/waiting.ts";

export type Option<Value extends string = string> = { value: Value; label: string; disabled?: boolean };

/**
 * Returns the options, with the chosen one added if it is missing: an address or an earlier search may have named it.
 */
export function withChosen(options: readonly Option[], chosen: string): readonly Option[] {
  const isKnown = chosen === "" || options.some(({ value }) => value === chosen);
  return isKnown ? options : [...options, { value: chosen, label: shorten(chosen) }];
}

/**
 * A choice of one option: `<Select aria-label="Status" options={statuses} value={status} onChange={setStatus} />`.
 * It is the browser's own control, because that is the best one on a phone and with a screen reader. Disabled until the
 * page's scripts run.
 */
export function Select<Value extends string>({
  options,
  onChange,
  className,
  disabled,
  ref,
  ...props
}: Omit<ComponentProps<"select">, "children" | "value" | "onChange"> & {
  options: readonly Option<Value>[];
  value: string;
  onChange: (value: NoInfer<Value>) => void;
}) {
  return (
    <span className={cn("relative inline-flex min-w-0", className)}>
      <select
        className="h-8 w-full min-w-0 appearance-none truncate rounded-md border border-line-strong bg-canvas pr-8 pl-2.5 text-16 text-ink aria-invalid:border-bad not-data-waiting:disabled:bg-sunken not-data-waiting:disabled:text-muted sm:text-14"
        {...useWaiting({ disabled, ref })}
        {...props}
        onChange={({ target }) => {
          const option = options[target.selectedIndex];
          if (option) onChange(option.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {plainName(option.label)}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute top-2 right-2 size-4 text-muted" />
    </span>
  );
}
