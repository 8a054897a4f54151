"use client";

import type { KeyValues } from "#app/(console)/api-keys/(list)/new/key-values.ts";
import { Bound } from "#app/(console)/api-keys/(list)/new/project-field.tsx";
import { SelectField, TextField } from "#components/form/text-fields.tsx";
import type { Form } from "#components/form/use-form.ts";
import type { ApiKey } from "#server/keys/schema.ts";

type Props<Input> = {
  form: Form<KeyValues, Input>;
  /** The parent key; undefined for a root key. Bindings of the parent are shown as text, not as fields. */
  parent: ApiKey | undefined;
};

const tiers = [
  { value: "standard", label: "Standard: request summaries are kept 30 days" },
  { value: "private", label: "Private: no bodies are kept beyond the idempotency window" },
  { value: "strict", label: "Strict: stored data is sealed, and purged on completion" },
];

/** Chooses the end user and the privacy tier of the key. */
export function BindingFields<Input>({ form, parent }: Props<Input>) {
  const least = tiers.findIndex(({ value }) => value === parent?.privacyTier);
  return (
    <>
      {parent && parent.endUser !== null ? (
        <Bound what="End user" to={parent.endUser} />
      ) : (
        <TextField
          label="End user"
          optional
          hint="Your own id of an end user. A bound key, and all keys below it, act only for them."
          autoComplete="off"
          spellCheck={false}
          {...form.field("endUser")}
        />
      )}
      <SelectField
        label="Privacy tier"
        options={[
          { value: "", label: parent ? "As the key above it" : "Standard, unless you choose" },
          ...tiers.slice(Math.max(least, 0)),
        ]}
        {...form.field("privacyTier")}
      />
    </>
  );
}
