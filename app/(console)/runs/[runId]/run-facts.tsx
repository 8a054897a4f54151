"use client";

import { useQuery } from "@tanstack/react-query";
import { EndUserLink } from "#app/(console)/_shell/end-user-link.tsx";
import { ResourceLink } from "#app/(console)/_shell/resource-link.tsx";
import { tookText } from "#app/(console)/runs/columns.tsx";
import { type Run, retriesOf } from "#app/(console)/runs/queries.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Credits } from "#components/ui/amount.tsx";
import { Copyable, shorten } from "#components/ui/copyable.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import { Facts, Section } from "#components/ui/section.tsx";
import { sizeText } from "#components/ui/size.tsx";
import { Status } from "#components/ui/status.tsx";
import { ExactTime } from "#components/ui/time.tsx";

export function RunFacts({ run }: { run: Run }) {
  const { serviceId, operationId, workflow, projectId, endUser, startedAt, finishedAt, retryOf, parentId } =
    run;
  const { triggerId, scheduledAt, startsAt } = run;
  const trpc = useTRPC();
  const retries = useQuery(trpc.runs.list.queryOptions(retriesOf(run.id))).data?.runs ?? [];
  return (
    <Section title="At a glance">
      <Facts
        items={[
          { name: "Id", value: <Copyable value={run.id} /> },
          {
            name: "Operation",
            value: (
              <TextLink href={routes.services.operation(serviceId, operationId)}>
                {serviceId} {operationId}
              </TextLink>
            ),
          },
          ...(workflow
            ? [
                {
                  name: "Workflow",
                  value: (
                    <TextLink
                      href={routes.workflows.storedOne(workflow.id, { version: String(workflow.version) })}
                    >
                      {workflow.name}, version {workflow.version}
                    </TextLink>
                  ),
                },
              ]
            : []),
          ...(projectId ? [{ name: "Project", value: <ResourceLink id={projectId} /> }] : []),
          ...(endUser ? [{ name: "End user", value: <EndUserLink externalId={endUser} /> }] : []),
          ...(run.tags.length > 0
            ? [{ name: "Tags", value: <bdi>{plainName(run.tags.join(", "))}</bdi> }]
            : []),
          ...(parentId ? [{ name: "Created by", value: <ResourceLink id={parentId} /> }] : []),
          ...(triggerId ? [{ name: "Started by", value: <ResourceLink id={triggerId} /> }] : []),
          ...(scheduledAt ? [{ name: "For", value: <ExactTime at={scheduledAt} /> }] : []),
          ...(startsAt ? [{ name: "Starts", value: <ExactTime at={startsAt} /> }] : []),
          ...(retryOf
            ? [
                {
                  name: "Retry of",
                  value: <TextLink href={routes.runs.read(retryOf)}>{shorten(retryOf)}</TextLink>,
                },
              ]
            : []),
          ...(retries.length > 0
            ? [
                {
                  name: "Retried by",
                  value: (
                    <>
                      {retries.map(({ id, status }) => (
                        <p key={id}>
                          <TextLink href={routes.runs.read(id)}>{shorten(id)}</TextLink>{" "}
                          <Status value={status} />
                        </p>
                      ))}
                      <TextLink href={routes.runs.list({ retryOf: run.id })}>All retries</TextLink>
                    </>
                  ),
                },
              ]
            : []),
          ...(run.waitsFor && run.waitsFor.length > 0
            ? [{ name: "Waits for", value: <Waits waits={run.waitsFor} /> }]
            : []),
          { name: "Created", value: <ExactTime at={run.createdAt} /> },
          { name: "Started", value: startedAt ? <ExactTime at={startedAt} /> : "Not yet" },
          { name: "Ended", value: finishedAt ? <ExactTime at={finishedAt} /> : "Not yet" },
          { name: "Took", value: tookText(run) },
          { name: "Attempt", value: `${run.attempt} of ${run.maxAttempts}` },
          ...(run.concurrency.length > 0
            ? [{ name: "Concurrency", value: <ConcurrencyKeys run={run} /> }]
            : []),
          ...(run.priority !== 0 ? [{ name: "Priority", value: String(run.priority) }] : []),
          ...(run.keptBytes === null ? [] : [{ name: "Keeps", value: sizeText(run.keptBytes) }]),
          { name: "Charged", value: <Credits value={run.chargedCredits} /> },
        ]}
      />
    </Section>
  );
}

/** Shows the concurrency keys, and which of them the run waits for. */
function ConcurrencyKeys({ run: { concurrency, waitingFor } }: { run: Run }) {
  return concurrency.map(({ key, limit, hold }) => (
    <p key={key} className="break-words">
      <bdi>{plainName(key)}</bdi>: {limit} at once{hold === "live" && ", waits included"}
      {waitingFor?.concurrencyKey === key && " – it waits for a place"}
    </p>
  ));
}

/** Shows the external events that the run's steps wait for. */
function Waits({ waits }: { waits: NonNullable<Run["waitsFor"]> }) {
  return waits.map(({ step, until, events, callback }) => (
    <p key={step} className="break-words">
      {callback
        ? `a callback${heartbeatText(callback)}`
        : events.map(({ name, key }) => (key === null ? name : `${name} ${key}`)).join(" or ")}{" "}
      in {step}, until <ExactTime at={until} />
    </p>
  ));
}

type Callback = NonNullable<NonNullable<Run["waitsFor"]>[number]["callback"]>;

function heartbeatText({ progress, message }: Callback): string {
  const done = progress === null ? null : `${Math.round(progress * 100)} % done`;
  const said = [done, message].filter(Boolean).join(": ");
  return said ? ` (${said})` : "";
}
