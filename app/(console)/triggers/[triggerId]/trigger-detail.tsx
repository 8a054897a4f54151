"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { ResourceLink } from "#app/(console)/_shell/resource-link.tsx";
import { InboundWebhook } from "#app/(console)/triggers/[triggerId]/inbound-webhook.tsx";
import { flowFacts } from "#app/(console)/triggers/flow-facts.tsx";
import {
  isByEvents,
  pausedText,
  scheduleText,
  startText,
  type Tick,
} from "#app/(console)/triggers/queries.ts";
import { useIsOwn, useSwitching } from "#app/(console)/triggers/use-switching.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Copyable, shorten } from "#components/ui/copyable.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Facts, Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";
import { ExactTime } from "#components/ui/time.tsx";
import { useRouter } from "#components/ui/use-router.ts";

const kinds = { schedule: "Schedule", event: "Event", fire: "By hand", backfill: "Backfill" };

const columnsOf = (isByWebhook: boolean): Column<Tick>[] => [
  { header: "For", cell: ({ scheduledAt }) => <ExactTime at={scheduledAt} /> },
  {
    header: "By",
    cell: ({ kind }) => (isByWebhook && kind === "event" ? "Delivery" : kinds[kind]),
    width: "8rem",
    minor: true,
  },
  { header: "Outcome", plain: true, cell: ({ state }) => <Status value={state} />, width: "9rem" },
  {
    header: "Run",
    cell: ({ runId, error }) => (runId ? shorten(runId) : (error?.message ?? "–")),
  },
];

const columns = columnsOf(false);
const deliveryColumns = columnsOf(true);

/** True if a tick is an event that has started no run. */
const mayReplay = ({ kind, state }: Tick) => kind === "event" && state !== "started" && state !== "waiting";

function Conditions({ where, what }: { where?: unknown[] | undefined; what: string }) {
  if (!where) return <p className="text-13 text-muted">None: each {what} starts a run.</p>;
  return <CodeBlock label="Conditions as JSON" code={JSON.stringify(where, null, 2)} />;
}

/** A trigger: its schedule or event, the run it starts, its next times, and the outcomes of past ones. */
export function TriggerDetail({ triggerId, mayWrite }: { triggerId: string; mayWrite: boolean }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { trigger, nextTimes, ticks } = useSuspenseQuery(trpc.triggers.read.queryOptions({ triggerId })).data;
  const isOwn = useIsOwn();
  const switching = useSwitching(() => router.push(routes.triggers.list()));
  const { start, lastError, pausedReason, ownerKeyId } = trigger;
  const isByEvent = isByEvents(trigger);
  const isByWebhook = "webhook" in trigger.on;
  const before = isByWebhook ? "Deliveries before" : isByEvent ? "Events before" : "Times before";
  const mayChange = mayWrite && isOwn(trigger);

  return (
    <Page>
      <PageHeader
        back={<TextLink href={routes.triggers.list()}>Triggers</TextLink>}
        title={trigger.name}
        sentence={scheduleText(trigger.on)}
        badge={<Status value={trigger.status} />}
        action={
          mayChange && (
            <>
              {pausedReason !== "owner_ended" && !isByEvent && (
                <ButtonLink href={routes.triggers.backfill(triggerId)}>Backfill</ButtonLink>
              )}
              {pausedReason !== "owner_ended" && ticks.some(mayReplay) && (
                <Button variant="secondary" onClick={() => switching.replay(trigger)}>
                  {isByWebhook ? "Replay deliveries" : "Replay events"}
                </Button>
              )}
              <ButtonLink href={routes.triggers.edit(triggerId)}>Edit</ButtonLink>
              {switching.actionsOf(trigger).map(({ label, danger, onSelect }) => (
                <Button key={label} variant={danger ? "danger" : "secondary"} onClick={onSelect}>
                  {label}
                </Button>
              ))}
            </>
          )
        }
      />
      <ErrorNotice what="The trigger was not changed." error={switching.error} />
      <Facts
        items={[
          { name: "Id", value: <Copyable value={trigger.id} full /> },
          { name: "Starts", value: startText(start) },
          ...flowFacts(start),
          ...(pausedReason ? [{ name: "Paused", value: pausedText(pausedReason) }] : []),
          ...(lastError
            ? [
                {
                  name: "Last refused",
                  value: (
                    <>
                      {lastError.message} <ExactTime at={lastError.at} />
                    </>
                  ),
                },
              ]
            : []),
          {
            name: "Owner",
            value: ownerKeyId ? <ResourceLink id={ownerKeyId} /> : "A member",
          },
          {
            name: "Last run",
            value: trigger.lastRunId ? <ResourceLink id={trigger.lastRunId} /> : "None",
          },
          { name: "Created", value: <ExactTime at={trigger.createdAt} /> },
        ]}
      />
      {"webhook" in trigger.on && (
        <InboundWebhook
          webhook={trigger.on.webhook}
          onRotate={mayChange ? () => switching.rotate(trigger) : undefined}
        />
      )}
      <div className="grid min-w-0 grid-cols-1 gap-8 lg:grid-cols-2">
        <Section title={isByEvent ? "Conditions" : "Next times"}>
          {"event" in trigger.on || "webhook" in trigger.on ? (
            <Conditions where={trigger.on.where} what={isByWebhook ? "delivery" : "event"} />
          ) : nextTimes.length === 0 ? (
            <p className="text-13 text-muted">None follow.</p>
          ) : (
            <ol className="flex flex-col gap-2 text-13">
              {nextTimes.map((time) => (
                <li key={time}>
                  <ExactTime at={time} />
                </li>
              ))}
            </ol>
          )}
        </Section>
        <Section title="Input">
          <CodeBlock label="JSON" code={JSON.stringify(start.input ?? null, null, 2)} />
        </Section>
      </div>
      <Section
        title={before}
        action={<TextLink href={routes.runs.list({ triggerId })}>All its runs</TextLink>}
      >
        <DataTable
          label={before}
          columns={isByWebhook ? deliveryColumns : columns}
          rows={ticks}
          rowId={({ scheduledAt }) => scheduledAt}
          rowHref={({ runId }) => (runId ? routes.runs.read(runId) : undefined)}
          empty={<p className="px-4 py-6 text-muted">It has started nothing yet.</p>}
        />
      </Section>
      {switching.dialog}
    </Page>
  );
}
