"use client";

import { BindingFields } from "#app/(console)/api-keys/(list)/new/binding-fields.tsx";
import { BoundaryField } from "#app/(console)/api-keys/(list)/new/boundary-field.tsx";
import type { KeyValues } from "#app/(console)/api-keys/(list)/new/key-values.ts";
import { LimitsField } from "#app/(console)/api-keys/(list)/new/limits-field.tsx";
import type { Form } from "#components/form/use-form.ts";
import type { KeyAccess } from "#server/keys/access/schema.ts";
import type { ApiKey } from "#server/keys/schema.ts";

export type KeyFieldsProps<Input> = {
  form: Form<KeyValues, Input>;
  /** The access that can be granted: that of the parent key, or of the member. */
  access: KeyAccess;
  /** The parent key; undefined for a root key. */
  parent: ApiKey | undefined;
};

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

/** Edits the boundaries that narrow a key beyond its scopes; below a parent only the parent's access is offered. */
export function NarrowingFields<Input>({ form, access, parent }: KeyFieldsProps<Input>) {
  const services = access.services.filter(({ allowed }) => allowed);
  return (
    <>
      <BoundaryField
        what="Services"
        meanings={serviceMeanings}
        choices={services.map(({ id, name }) => ({ name: id, hint: name }))}
        value={form.values.services}
        onChange={(services) => form.set({ services })}
      />
      <BoundaryField
        what="Operations"
        meanings={operationMeanings}
        choices={operationChoices(access, form.values.scopes)}
        value={form.values.operations}
        onChange={(operations) => form.set({ operations })}
      />
      <LimitsField selectors={access.selectors} {...form.field("limits")} />
      <BindingFields form={form} parent={parent} />
    </>
  );
}

type Choice = { name: string; hint?: string };

/**
 * Returns the selectors for a boundary: the operations that the scopes permit, and the wildcards above several of them;
 * below a parent only those that the parent can reach.
 */
function operationChoices(access: KeyAccess, scopes: readonly string[]): Choice[] {
  const exact = access.operations.filter(({ scope, denied }) => denied === null && scopes.includes(scope));
  const names = new Set(exact.map(({ selector }) => selector));
  const above = access.selectors.flatMap(({ selector }) => {
    const covered = exact.filter((one) => one.selector.startsWith(`${selector}.`)).length;
    return names.has(selector) || covered === 0 ? [] : [{ name: selector, hint: `All ${covered} below it.` }];
  });
  return [...above, ...[...names].map((name) => ({ name }))].sort((a, b) => a.name.localeCompare(b.name));
}
