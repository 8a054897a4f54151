import { type CatalogueEvent, EventsField } from "#app/(console)/webhooks/events-field.tsx";
import { useOrigin } from "#components/curl.ts";
import { TextareaField, TextField } from "#components/form/text-fields.tsx";
import type { FieldOf } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";

interface Fields {
  field(name: "url" | "description"): FieldOf<string>;
  field(name: "events"): FieldOf<string[]>;
}

/** What a webhook is made of, and changed by. */
export function WebhookFields({ form, catalogue }: { form: Fields; catalogue: readonly CatalogueEvent[] }) {
  const url = form.field("url");
  const here = `${useOrigin()}/inspect`;
  return (
    <>
      <TextField
        label="Address"
        hint="An https: address of yours. Anything but a 2xx within 15 seconds is tried again."
        autoComplete="off"
        spellCheck={false}
        inputMode="url"
        {...url}
      />
      {url.value === "" && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13 text-muted">
          No endpoint yet? The platform's own takes everything, and you read it here.
          <Button size="sm" onClick={() => url.onChange(here)}>
            Inspect here
          </Button>
        </p>
      )}
      <EventsField catalogue={catalogue} {...form.field("events")} />
      <TextareaField label="Description" optional {...form.field("description")} />
    </>
  );
}
