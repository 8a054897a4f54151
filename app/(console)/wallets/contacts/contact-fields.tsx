"use client";

import { TextareaField, TextField } from "#components/form/text-fields.tsx";
import type { Form } from "#components/form/use-form.ts";

interface ContactValues {
  name: string;
  address: string;
  note: string;
}

/** Converts the form's values to the API's input. */
export const toContactInput = ({ name, address, note }: ContactValues) => ({
  name,
  address: address.trim(),
  note: note.trim() === "" ? null : note,
});

export function ContactFields<Input>({ form }: { form: Form<ContactValues, Input> }) {
  return (
    <>
      <TextField label="Name" autoComplete="off" {...form.field("name")} />
      <TextField
        label="Address"
        hint="The same on every network. Compare it with the address that you got in another way."
        autoComplete="off"
        spellCheck={false}
        {...form.field("address")}
      />
      <TextareaField label="Note" optional rows={2} {...form.field("note")} />
    </>
  );
}
