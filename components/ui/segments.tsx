"use client";

import { type ComponentProps, useId } from "react";
import { useChosen } from "#components/ui/chosen.ts";
import type { Option } from "#components/ui/select.tsx";
import { useWaiting } from "#components/ui/waiting.ts";

/**
 * A choice of a few options that takes effect at once: `<Segments label="Period" options={periods} value={period}
 * onChange={…} />`.
 */
export function Segments({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly Option[];
  value: string;
  onChange: (value: string) => void;
}) {
  const name = useId();
  const [chosen, choose] = useChosen(value, onChange);
  return (
    <fieldset className="flex w-fit max-w-full flex-wrap gap-px rounded-md border border-line-strong bg-canvas p-px">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <Segment
          key={option.value}
          label={option.label}
          name={name}
          checked={option.value === chosen}
          onChange={() => choose(option.value)}
        />
      ))}
    </fieldset>
  );
}

function Segment({
  label,
  ...props
}: { label: string } & Pick<ComponentProps<"input">, "name" | "checked" | "onChange">) {
  return (
    <label className="relative flex h-7 items-center rounded-[5px] px-2.5 text-13 text-muted hover:text-ink has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent-text has-focus-visible:outline-2 has-focus-visible:outline-accent-text has-focus-visible:outline-offset-2">
      <input
        type="radio"
        className="absolute inset-0 cursor-pointer appearance-none outline-none"
        {...useWaiting<HTMLInputElement>({ disabled: undefined, ref: undefined })}
        {...props}
      />
      {label}
    </label>
  );
}
