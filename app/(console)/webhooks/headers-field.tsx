"use client";

import { KeyValueField } from "#components/form/key-value-field.tsx";
import type { FieldOf } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";

/** Edits headers by name. `stored` headers can be removed, or replaced by a new value, but are never shown. */
export function HeadersField({
  stored = [],
  removed,
  onRemovedChange,
  ...field
}: FieldOf<Record<string, string>> & {
  stored?: readonly string[];
  removed: readonly string[];
  onRemovedChange: (removed: string[]) => void;
}) {
  return (
    <div className="flex flex-col gap-2">
      <KeyValueField
        label="Headers"
        optional
        hint={
          stored.length > 0
            ? "Sent with each attempt. A stored value is never shown: add the name again to replace it."
            : "Sent with each attempt, such as an Authorization that your endpoint asks for. Sealed, and never shown again."
        }
        {...field}
      />
      {stored.length > 0 && (
        <ul aria-label="Stored headers" className="flex flex-col border-t">
          {stored.map((name) => {
            const isRemoved = removed.includes(name);
            return (
              <li key={name} className="flex items-center justify-between gap-2 border-b py-1">
                <span
                  className={isRemoved ? "font-mono text-13 text-muted line-through" : "font-mono text-13"}
                >
                  {name}
                </span>
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={`${isRemoved ? "Keep" : "Remove"} ${name}`}
                  onClick={() =>
                    onRemovedChange(
                      isRemoved ? removed.filter((other) => other !== name) : [...removed, name],
                    )
                  }
                >
                  {isRemoved ? "Keep" : "Remove"}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
