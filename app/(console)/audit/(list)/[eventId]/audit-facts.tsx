import { EndUserLink } from "#app/(console)/_shell/end-user-link.tsx";
import { ResourceLink } from "#app/(console)/_shell/resource-link.tsx";
import { actorOf } from "#app/(console)/audit/columns.tsx";
import { routes } from "#components/routes.ts";
import { Credits } from "#components/ui/amount.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { inDigits } from "#components/ui/digits.ts";
import { TextLink } from "#components/ui/link.tsx";
import { Facts } from "#components/ui/section.tsx";
import { ExactTime } from "#components/ui/time.tsx";
import type { AuditEvent } from "#server/audit/schema.ts";

const kinds = { key: "API key", member: "Person", system: "Platform" };

/** Shows the caller, the operation, the time, the end user, the origin and the cost of a request. */
export function AuditFacts({ event }: { event: AuditEvent }) {
  const { actor, projectId } = event;
  const facts = [
    { name: kinds[actor.type], value: <Actor event={event} /> },
    { name: "Resource", value: event.resource && <ResourceLink id={event.resource} /> },
    { name: "When", value: <ExactTime at={event.at} /> },
    { name: "Took", value: `${inDigits(event.durationMs)} ms` },
    { name: "Charged", value: event.chargedCredits > 0 && <Credits value={event.chargedCredits} /> },
    { name: "Request id", value: <Copyable value={event.requestId} /> },
    { name: "Project", value: projectId && <ResourceLink id={projectId} /> },
    { name: "End user", value: event.endUser && <EndUserLink externalId={event.endUser} /> },
    { name: "Version of the secret", value: event.secretVersion },
    { name: "IP address", value: event.ip },
    { name: "User agent", value: event.userAgent },
  ];
  return <Facts items={facts.filter(({ value }) => value)} />;
}

function Actor({ event }: { event: AuditEvent }) {
  const { type, id } = event.actor;
  const name = actorOf(event);
  if (type === "system" || id === null) return name;
  const isKey = type === "key";
  return (
    <>
      {isKey ? <TextLink href={routes.apiKeys.read(id)}>{name}</TextLink> : name}
      <span className="block text-13">
        <TextLink href={routes.audit(isKey ? { keyId: id } : { memberId: id })}>
          Everything this {isKey ? "key" : "person"} did
        </TextLink>
      </span>
    </>
  );
}
