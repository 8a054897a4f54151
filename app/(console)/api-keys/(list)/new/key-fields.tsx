"use client";

import { BindingFields, ProjectField } from "#app/(console)/api-keys/(list)/new/binding-fields.tsx";
import { BoundaryField } from "#app/(console)/api-keys/(list)/new/boundary-field.tsx";
import type { KeyValues } from "#app/(console)/api-keys/(list)/new/key-values.ts";
import { LifetimeField } from "#app/(console)/api-keys/(list)/new/lifetime-field.tsx";
import { LimitsField } from "#app/(console)/api-keys/(list)/new/limits-field.tsx";
import { operationChoices } from "#app/(console)/api-keys/(list)/new/operation-choices.ts";
import { ScopesField } from "#app/(console)/api-keys/(list)/new/scopes-field.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import type { Form } from "#components/form/use-form.ts";
import type { ApiKey, KeyAccess } from "#server/keys/schema.ts";

const serviceMeanings = {
  any: "Every service that its scopes permit, those added later too.",
  allowed: "Only these services. With none chosen, every managed service is closed to it.",
  excluded: "Every service there is now but these. Services added later stay out.",
};
const operationMeanings = {
  any: "Every operation there is now that its scopes permit.",
  allowed:
    "Only these of the operations that its scopes permit; those above others stand for all they cover now.",
  excluded: "Every operation there is now but these. Operations added later stay out.",
};

/** Everything that a key's policy says; under a parent only what the parent has can be picked. */
export function KeyFields<Input>({
  form,
  access,
  parent,
}: {
  form: Form<KeyValues, Input>;
  access: KeyAccess;
  parent: ApiKey | undefined;
}) {
  const { scopes } = form.values;
  return (
    <>
      <TextField label="Label" hint="What the key is for." autoComplete="off" {...form.field("label")} />
      <ProjectField form={form} parent={parent} />
      <ScopesField
        offered={access.scopes}
        whyNot={parent ? "the keys above it do not hold them." : "your role does not hold them."}
        {...form.field("scopes")}
      />
      <LifetimeField form={form} scopes={scopes} expiry={access.expiry} />
      <BoundaryField
        what="Services"
        meanings={serviceMeanings}
        choices={access.services
          .filter(({ allowed }) => allowed)
          .map(({ id, name }) => ({ name: id, hint: name }))}
        value={form.values.services}
        onChange={(services) => form.set({ services })}
      />
      <BoundaryField
        what="Operations"
        meanings={operationMeanings}
        choices={operationChoices(access, scopes)}
        value={form.values.operations}
        onChange={(operations) => form.set({ operations })}
      />
      <LimitsField selectors={access.selectors} {...form.field("limits")} />
      <BindingFields form={form} parent={parent} />
    </>
  );
}
