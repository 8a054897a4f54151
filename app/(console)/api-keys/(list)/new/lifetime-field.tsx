"use client";

import { type KeyValues, longestLife } from "#app/(console)/api-keys/(list)/new/key-values.ts";
import { DateTimeField } from "#components/form/date-time-field.tsx";
import { SelectField } from "#components/form/text-fields.tsx";
import type { Form } from "#components/form/use-form.ts";
import { ExactTime, useNow } from "#components/ui/time.tsx";
import { DAY_MS } from "#server/base/durations.ts";
import type { KeyAccess } from "#server/keys/access/schema.ts";

const DEFAULT_DAYS = 30;
const choices = [7, 90, 365];

/** Chooses the key's lifetime, and shows the maximum that its scopes and parent keys allow. */
export function LifetimeField<Input>({
  form,
  scopes,
  all,
  expiry,
}: {
  form: Form<Pick<KeyValues, "lifetime" | "expiresAt">, Input>;
  /** The key's own scopes. */
  scopes: readonly string[];
  /** All scopes, with their longest lifetimes. */
  all: KeyAccess["scopes"];
  /** The earliest expiry among the parent keys. */
  expiry: KeyAccess["expiry"];
}) {
  const { days, otherwise, because } = longestLife(all, scopes);
  const now = useNow();
  const left = expiry ? (Date.parse(expiry.at) - now) / DAY_MS : days;
  return (
    <>
      <SelectField
        label="Expires"
        options={[
          { value: "default", label: left < DEFAULT_DAYS ? "With the key above it" : "In 30 days" },
          ...choices.map((choice) => ({
            value: String(choice),
            label: `In ${choice} days`,
            disabled: choice > Math.min(days, left),
          })),
          { value: "date", label: "On a date" },
        ]}
        hint={
          <>
            At most {days} days ahead
            {because && `, because it holds ${because}; ${otherwise} without such a scope`}.
            {expiry && (
              <>
                {" "}
                No later than the key above it, which ends on <ExactTime at={expiry.at} />.
              </>
            )}
          </>
        }
        {...form.field("lifetime")}
      />
      {form.values.lifetime === "date" && (
        <DateTimeField label="Date of expiry" {...form.field("expiresAt")} />
      )}
    </>
  );
}
