"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { FlowFields } from "#app/(console)/triggers/flow-fields.tsx";
import { isFlowField } from "#app/(console)/triggers/flow-values.ts";
import { NextTimes } from "#app/(console)/triggers/next-times.tsx";
import { StartFields } from "#app/(console)/triggers/start-fields.tsx";
import {
  comesIn,
  fieldOf,
  inputOf,
  type Kind,
  type TriggerValues,
} from "#app/(console)/triggers/trigger-values.ts";
import { WebhookFields } from "#app/(console)/triggers/webhook-fields.tsx";
import { DateTimeField } from "#components/form/date-time-field.tsx";
import { JsonField } from "#components/form/json-field.tsx";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { NumberField, SelectField, TextField } from "#components/form/text-fields.tsx";
import { type FieldOf, useForm } from "#components/form/use-form.ts";
import { useInvokeService } from "#components/invoke-service.ts";
import { useTRPC } from "#components/trpc.tsx";
import type { Option } from "#components/ui/select.tsx";
import type { PutTrigger } from "#server/triggers/schema.ts";

const kinds: Option<Kind>[] = [
  { value: "cron", label: "By a crontab line" },
  { value: "every", label: "Every so many minutes" },
  { value: "at", label: "Once" },
  { value: "event", label: "At an event" },
  { value: "webhook", label: "At an inbound webhook" },
];

const overlaps: Option<TriggerValues["overlap"]>[] = [
  { value: "skip", label: "Pass it over" },
  { value: "queue_one", label: "Start it when that has ended" },
  { value: "allow", label: "Start it beside that" },
  { value: "cancel_previous", label: "Cancel that, then start it" },
];

/** The form of a trigger; it shows the next times while they are edited. */
export function TriggerForm({
  title,
  submitLabel,
  parent,
  initial,
  updatedAt,
  onDone,
}: {
  title: string;
  submitLabel: string;
  parent: string;
  initial: TriggerValues;
  /** The time of the trigger's last change; null for a new one. */
  updatedAt: string | null;
  onDone: (trigger: { id: string }) => void;
}) {
  const trpc = useTRPC();
  const invoke = useInvokeService();
  const queries = useQueryClient();
  // As it was when the form opened: somebody else's change since then is not overwritten.
  const [ifUpdatedAt] = useState(updatedAt);
  const [fault, setFault] = useState<string | null>(null);
  const [whereFault, setWhereFault] = useState<string | null>(null);
  const put = useMutation({
    mutationFn: (input: PutTrigger) => invoke("managed-triggers", "put", input),
    async onSuccess({ trigger }) {
      await queries.invalidateQueries(trpc.triggers.pathFilter());
      onDone(trigger);
    },
  });
  const form = useForm({
    schema: () => import("#server/triggers/schema.ts").then(({ PutTrigger }) => PutTrigger),
    initial: { ...initial, on: null, start: null },
    toInput: inputOf,
  });
  const { values, set, field } = form;
  const { kind, cron, timezone } = values;
  const timed = { error: field("on").error };
  const issues = form.issues.map(({ path, message }) => ({ path: fieldOf(`input.${path}`), message }));
  const startFault = form.issues.find(
    ({ path }) => /^start(\.|$)/.test(path) && !isFlowField(fieldOf(`input.${path}`)),
  )?.message;

  return (
    <SideModalForm
      title={title}
      parent={parent}
      submitLabel={submitLabel}
      form={form}
      pending={put.isPending || put.isSuccess}
      error={put.error}
      failed="The trigger was not stored."
      fieldOf={fieldOf}
      onSubmit={(input) =>
        fault === null && (!comesIn(kind) || whereFault === null) && put.mutate({ ...input, ifUpdatedAt })
      }
    >
      {updatedAt === null && (
        <TextField
          label="Name"
          hint="Lower-case letters, digits and hyphens."
          autoComplete="off"
          spellCheck={false}
          {...field("name")}
        />
      )}
      <SelectField
        label="When"
        options={kinds}
        {...field("kind")}
        // Skipped times recur, but skipped events and deliveries do not.
        onChange={(kind) => set({ kind, overlap: comesIn(kind) ? "allow" : "skip" })}
      />
      {kind === "cron" && (
        <>
          <TextField
            label="Crontab line"
            hint="Minute, hour, day of the month, month, day of the week."
            autoComplete="off"
            spellCheck={false}
            {...field("cron")}
            {...timed}
          />
          <TimeZoneField {...field("timezone")} />
          <NextTimes cron={cron} timezone={timezone} />
        </>
      )}
      {kind === "every" && (
        <NumberField
          label="Every"
          unit="minutes, from now on"
          min={1}
          {...field("everyMinutes")}
          {...timed}
        />
      )}
      {kind === "event" && (
        <TextField
          label="Event"
          hint="One that managed-events sends, like order.paid, or of the platform, like run.failed."
          autoComplete="off"
          spellCheck={false}
          {...field("event")}
          {...timed}
        />
      )}
      {kind === "webhook" && (
        <WebhookFields
          form={form}
          storedScheme={initial.kind === "webhook" ? initial.scheme : null}
          error={timed.error}
        />
      )}
      {comesIn(kind) && (
        <JsonField
          label="Conditions"
          hint={'All of which must hold, e.g. [{"path": "data.amountUsd", "op": "gte", "value": "12.50"}].'}
          optional
          {...field("where")}
          onFault={setWhereFault}
          error={whereFault ?? undefined}
        />
      )}
      {kind === "at" && <DateTimeField label="At" {...field("at")} {...timed} />}
      <StartFields form={form} error={startFault} onFault={setFault} fault={fault} />
      <SelectField label="Where its last run has not ended" options={overlaps} {...field("overlap")} />
      <FlowFields form={form} issues={issues} mayDebounce={comesIn(kind)} />
      {!comesIn(kind) && (
        <>
          <NumberField
            label="Make up for"
            unit="seconds"
            min={0}
            hint="How late a run may start where nothing could be started at its time."
            {...field("catchUpSeconds")}
          />
          <NumberField label="Later by up to" unit="seconds" min={0} {...field("jitterSeconds")} />
        </>
      )}
      <NumberField
        label="Pause after failures"
        unit="in a row"
        min={1}
        optional
        {...field("pauseAfterFailures")}
      />
    </SideModalForm>
  );
}

// Not every browser counts UTC among its time zones.
const timeZones = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])].map((zone) => (
  <option key={zone} value={zone} />
));

/** The name of a time zone; those that the browser knows are suggested. */
function TimeZoneField(field: FieldOf<string>) {
  const known = useId();
  return (
    <>
      <TextField
        label="Time zone"
        hint="By its name, e.g. Europe/Berlin."
        autoComplete="off"
        spellCheck={false}
        list={known}
        {...field}
      />
      <datalist id={known}>{timeZones}</datalist>
    </>
  );
}
