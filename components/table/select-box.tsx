"use client";

import { useWaiting } from "#components/ui/waiting.ts";

type Props = {
  label: string;
  checked: boolean;
  some?: boolean;
  tabIndex?: number;
  onChange: (on: boolean) => void;
};

/** The checkbox that selects a row, or all rows. */
export function SelectBox({ label, checked, some = false, tabIndex, onChange }: Props) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      data-select
      tabIndex={tabIndex}
      // A finger gets 44 px around it.
      className="relative z-10 size-4 appearance-none rounded-[4px] border border-line-strong bg-canvas align-middle checked:border-accent checked:bg-accent indeterminate:bg-accent-soft pointer-coarse:after:absolute pointer-coarse:after:-inset-3.75"
      checked={checked}
      {...useWaiting({
        disabled: false,
        ref: (box: HTMLInputElement | null) => {
          if (box) box.indeterminate = some && !checked;
        },
      })}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
