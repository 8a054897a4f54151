"use client";

import { templates } from "#app/(console)/api-keys/(list)/new/templates.ts";
import { Field } from "#components/form/field.tsx";
import type { FieldOf } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import type { KeyAccess } from "#server/keys/access/schema.ts";

type Offered = KeyAccess["scopes"][number];

/** Chooses among the scopes that can be granted, grouped by resource. */
export function ScopesField({
  offered,
  whyNot,
  value,
  onChange,
  ...field
}: FieldOf<string[]> & { offered: readonly Offered[]; whyNot: string }) {
  const given = offered.filter(({ allowed }) => allowed);
  const groups = Object.groupBy(given, ({ scope }) => scope.split(":")[0] ?? "");
  const usual = templates
    .map(({ label, about, has }) => ({ label, about, scopes: given.filter(has).map(({ scope }) => scope) }))
    .filter(({ label, scopes }) => scopes.length > 0 || label === "None");
  const chosen = usual.find(
    ({ scopes }) => scopes.length === value.length && scopes.every((scope) => value.includes(scope)),
  );
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
            {usual.map(({ label, about, scopes }) => (
              <Button
                key={label}
                size="sm"
                title={about}
                aria-pressed={label === chosen?.label}
                className="aria-pressed:border-accent aria-pressed:bg-accent-soft"
                onClick={() => onChange(scopes)}
              >
                {label}
              </Button>
            ))}
          </div>
          {chosen?.about && <p className="text-13 text-muted">{chosen.about}</p>}
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
