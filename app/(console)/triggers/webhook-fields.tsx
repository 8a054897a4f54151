"use client";

import { schemes } from "#app/(console)/triggers/queries.ts";
import type { TriggerValues } from "#app/(console)/triggers/trigger-values.ts";
import { NumberField, SelectField, TextField } from "#components/form/text-fields.tsx";
import type { FieldOf } from "#components/form/use-form.ts";

interface WebhookForm {
  field(name: "scheme" | "secret" | "headerName"): FieldOf<string>;
  field(name: "requestsPerMinute"): FieldOf<number | null>;
}

const options = Object.entries(schemes).map(([value, { label }]) => ({ value, label }));

/** Edits the provider and its signature scheme; the address is shown once the trigger is stored. */
export function WebhookFields({
  form,
  storedScheme,
  error,
}: {
  form: WebhookForm;
  /** The scheme of the stored secret. */
  storedScheme: TriggerValues["scheme"] | null;
  error: string | undefined;
}) {
  const scheme = form.field("scheme");
  const keeps = scheme.value === storedScheme;
  const isSigned = scheme.value !== "none";
  return (
    <>
      <SelectField
        label="Signed by"
        options={options}
        hint={isSigned ? undefined : "Whoever knows the address may start runs."}
        {...scheme}
        error={isSigned ? scheme.error : error}
      />
      {isSigned && (
        <TextField
          label="Secret"
          hint={
            keeps
              ? "Leave it empty to keep the one that is stored."
              : "The signing secret that the provider shows; it is sealed, and never shown again."
          }
          optional={keeps}
          type="password"
          autoComplete="new-password"
          {...form.field("secret")}
          error={error}
        />
      )}
      {scheme.value === "hmac_sha256" && (
        <TextField
          label="Header with the signature"
          autoComplete="off"
          spellCheck={false}
          {...form.field("headerName")}
        />
      )}
      <NumberField label="At most" unit="deliveries a minute" min={1} {...form.field("requestsPerMinute")} />
    </>
  );
}
