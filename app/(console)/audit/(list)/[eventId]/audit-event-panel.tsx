"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { AuditChecks } from "#app/(console)/audit/(list)/[eventId]/audit-checks.tsx";
import { AuditFacts } from "#app/(console)/audit/(list)/[eventId]/audit-facts.tsx";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Count } from "#components/ui/amount.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Facts, Section } from "#components/ui/section.tsx";
import { SideModal } from "#components/ui/side-modal.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { AuditEvent } from "#server/audit/schema.ts";

const AuditOutcome = dynamic(() =>
  import("#app/(console)/audit/(list)/[eventId]/audit-outcome.tsx").then(({ AuditOutcome }) => AuditOutcome),
);

const SEALING_MS = 1_000;

/** Shows every stored detail of a request. */
export function AuditEventPanel({ eventId }: { eventId: string }) {
  const trpc = useTRPC();
  const { data, error } = useQuery({
    ...trpc.auditEvents.read.queryOptions({ eventId }),
    // A recorded event does not change, except that it gets its place in the chain.
    meta: { still: true },
    refetchInterval: ({ state }) => (state.data?.auditEvent.hash === null ? SEALING_MS : false),
  });
  const origin = useOrigin();

  return (
    <SideModal title={data?.auditEvent.operation ?? "Request"} parent={routes.audit()}>
      <ErrorNotice what="The request could not be loaded." error={error} />
      {!data && !error && <Skeleton className="h-96" />}
      {data && (
        <>
          <AuditChecks
            event={data.auditEvent}
            checks={data.checks}
            meaning={data.meaning}
            refusal={data.refusal}
            replayOf={data.replayOf}
          />
          <AuditFacts event={data.auditEvent} />
          <AuditOutcome effects={data.effects} />
          <AuditChain event={data.auditEvent} />
          {data.body && <AuditBody body={data.body} />}
          {data.call && <CodeBlock label="curl" code={curlOf(origin, data.call)} />}
        </>
      )}
    </SideModal>
  );
}

/** Shows the request's body if the resource that the call created still stores it. */
function AuditBody({ body: { body, why } }: { body: { body?: unknown; why: string | null } }) {
  return (
    <Section title="Body">
      {why === null ? (
        <CodeBlock label="body" code={JSON.stringify(body, null, 2)} />
      ) : (
        <p className="text-muted">{why}</p>
      )}
    </Section>
  );
}

/** Shows the event's place in the account's hash chain. */
function AuditChain({ event }: { event: AuditEvent }) {
  const { sequence, previousHash, hash } = event;
  return (
    <Section title="Hash chain">
      {sequence === null || previousHash === null || hash === null ? (
        <p className="text-muted">Not in the chain yet: each request is sealed within a second.</p>
      ) : (
        <Facts
          items={[
            { name: "Sequence", value: <Count value={sequence} /> },
            { name: "Previous hash", value: <Copyable value={previousHash} full /> },
            { name: "Hash", value: <Copyable value={hash} full /> },
          ]}
        />
      )}
    </Section>
  );
}
