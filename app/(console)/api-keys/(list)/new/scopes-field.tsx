"use client";

import { Field } from "#components/form/field.tsx";
import type { FieldOf } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import type { KeyAccess } from "#server/keys/schema.ts";

type Offered = KeyAccess["scopes"][number];

/** The scopes that can be given, grouped by what they are about. */
export function ScopesField({
  offered,
  whyNot,
  value,
  onChange,
  ...field
}: FieldOf<string[]> & { offered: readonly Offered[]; whyNot: string }) {
  const given = offered.filter(({ allowed }) => allowed);
  const groups = Object.groupBy(given, ({ scope }) => scope.split(":")[0] ?? "");
  const withheld = offered.length - given.length;
  return (
    <Field
      group
      label="Scopes"
      hint={withheld > 0 && `${withheld} more can’t be given: ${whyNot}`}
      {...field}
    >
      {(control) => (
        <div className="flex flex-col gap-3">
          <div className="flex flex-wrap gap-2">
            {presets.map(({ label, has }) => (
              <Button
                key={label}
                size="sm"
                onClick={() => onChange(given.filter(has).map(({ scope }) => scope))}
              >
                {label}
              </Button>
            ))}
          </div>
          <div className="rounded-md border">
            {Object.entries(groups).map(([resource, scopes = []]) => (
              <fieldset
                key={resource}
                className="grid min-w-0 grid-cols-1 gap-x-4 border-b px-3 py-1.5 last:border-b-0 sm:grid-cols-2"
              >
                <legend className="sr-only">{resource.replaceAll("_", " ")}</legend>
                {scopes.map(({ scope, allows }) => (
                  <Checkbox
                    key={scope}
                    name="scopes"
                    aria-invalid={control["aria-invalid"]}
                    label={<span className="font-mono text-13">{scope}</span>}
                    hint={allows}
                    checked={value.includes(scope)}
                    onChange={(event) =>
                      onChange(
                        event.target.checked ? [...value, scope] : value.filter((other) => other !== scope),
                      )
                    }
                  />
                ))}
              </fieldset>
            ))}
          </div>
        </div>
      )}
    </Field>
  );
}

type Given = KeyAccess["scopes"][number];

/** What a backend that only uses the platform has no need of. */
const notForBackends: string[] = ["api_keys:manage", "credits:write"];
const LONG_DAYS = 365;

/** Sets of scopes to start from. */
const presets: { label: string; has: (given: Given) => boolean }[] = [
  { label: "Read-only", has: ({ scope }) => scope.endsWith(":read") },
  {
    label: "Backend",
    // What moves money or decides also shortens a key's life.
    has: ({ scope, longestDays }) => longestDays === LONG_DAYS && !notForBackends.includes(scope),
  },
  { label: "Everything", has: () => true },
  { label: "None", has: () => false },
];
