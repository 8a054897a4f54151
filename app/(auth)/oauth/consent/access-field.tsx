"use client";

import { Field } from "#components/form/field.tsx";
import type { FieldOf } from "#components/form/use-form.ts";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Badge } from "#components/ui/status.tsx";
import type { AppRequest } from "#server/oauth/schema.ts";

type Offered = AppRequest["scopes"][number];

const GROUPS = [
  ["read", "Read"],
  ["change", "Change"],
  ["spend", "Spend"],
] as const;
/** Without this scope an app finds no services. */
const ALWAYS = "services:read";

/** The scopes that the app gets. Groups without a requested scope are folded. */
export function AccessField({
  offered,
  value,
  onChange,
  ...field
}: FieldOf<string[]> & { offered: readonly Offered[] }) {
  return (
    <Field group label="Access" hint="The app requests the ticked permissions." {...field}>
      {(control) => (
        <div className="rounded-md border">
          {GROUPS.map(([group, title]) => {
            const scopes = offered.filter((one) => one.group === group);
            if (scopes.length === 0) return null;
            const chosen = scopes.filter(({ scope }) => value.includes(scope)).length;
            return (
              <details
                key={group}
                open={scopes.some(({ chosen }) => chosen)}
                className="border-b last:border-b-0"
              >
                <summary className="cursor-default px-3 py-2 font-medium">
                  {title} <span className="font-normal text-13 text-muted">{chosen || "nothing"}</span>
                </summary>
                <div className="flex flex-col px-3 pb-2">
                  {scopes.map(({ scope, allows, isNew }) => (
                    <Checkbox
                      key={scope}
                      name="scopes"
                      aria-invalid={control["aria-invalid"]}
                      label={
                        <>
                          <span className="font-mono text-13">{scope}</span>
                          {isNew && (
                            <>
                              {" "}
                              <Badge tone="info">New</Badge>
                            </>
                          )}
                        </>
                      }
                      hint={allows}
                      checked={value.includes(scope)}
                      disabled={scope === ALWAYS}
                      onChange={(event) =>
                        onChange(
                          event.target.checked ? [...value, scope] : value.filter((other) => other !== scope),
                        )
                      }
                    />
                  ))}
                </div>
              </details>
            );
          })}
        </div>
      )}
    </Field>
  );
}
