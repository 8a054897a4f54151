import { LinesField } from "#components/form/lines-field.tsx";
import { TextareaField, TextField } from "#components/form/text-fields.tsx";
import type { FieldOf } from "#components/form/use-form.ts";

interface Fields {
  field(name: "url" | "description"): FieldOf<string>;
  field(name: "events"): FieldOf<string[]>;
}

/** What a webhook is made of, and changed by. */
export function WebhookFields({ form }: { form: Fields }) {
  return (
    <>
      <TextField
        label="Address"
        hint="An https: address of yours. Anything but a 2xx within 15 seconds is tried again."
        autoComplete="off"
        spellCheck={false}
        inputMode="url"
        {...form.field("url")}
      />
      <LinesField
        label="Events"
        hint="One per line: * for all, a name like project.created, or all below one like api_key.*"
        {...form.field("events")}
      />
      <TextareaField label="Description" optional {...form.field("description")} />
    </>
  );
}
