import { type CatalogueEvent, EventsField } from "#app/(console)/webhooks/events-field.tsx";
import { FilterField } from "#app/(console)/webhooks/filter-field.tsx";
import { HeadersField } from "#app/(console)/webhooks/headers-field.tsx";
import { payloads } from "#app/(console)/webhooks/payloads.ts";
import type { WebhookValues } from "#app/(console)/webhooks/webhook-values.ts";
import { SelectField, TextareaField, TextField } from "#components/form/text-fields.tsx";
import type { Form } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { useHydrated } from "#components/ui/hydrated.ts";

/** The events that can be chosen, and their fields for conditions. */
export interface EventChoices {
  catalogue: readonly CatalogueEvent[];
  /** Examples of events' data, at least one for each family. */
  examples: readonly (readonly [type: string, data: unknown])[];
  /** The fields of events by family, such as `run`. */
  fields: Readonly<Record<string, readonly string[]>>;
}

/** Returns the fields that events of these patterns can have. */
function pathsOf(events: readonly string[], fields: EventChoices["fields"]): string[] {
  const families = new Set(events.map((pattern) => pattern.split(".", 1)[0] ?? ""));
  const chosen = Object.entries(fields).filter(([family]) => families.has("*") || families.has(family));
  return [...new Set(chosen.flatMap(([, paths]) => paths))];
}

/** The fields of a webhook, for creating and changing one. `storedHeaders`: the names of its stored headers. */
export function WebhookFields<Input>({
  form,
  choices: { catalogue, examples, fields },
  storedHeaders,
}: {
  form: Form<WebhookValues, Input>;
  choices: EventChoices;
  storedHeaders?: readonly string[];
}) {
  const url = form.field("url");
  const here = `${useHydrated() ? window.location.origin : "$BASE_URL"}/inspect`;
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
      <EventsField catalogue={catalogue} examples={examples} {...form.field("events")} />
      <FilterField
        {...form.field("filter")}
        issues={form.issues}
        paths={pathsOf(form.values.events, fields)}
      />
      <SelectField
        label="Body"
        hint="With a thin body your server reads the rest with its key."
        options={payloads}
        {...form.field("payload")}
      />
      <HeadersField
        {...form.field("headers")}
        {...(storedHeaders && { stored: storedHeaders })}
        removed={form.values.removed}
        onRemovedChange={(removed) => form.set({ removed })}
      />
      <TextareaField label="Description" optional {...form.field("description")} />
    </>
  );
}
