import { LateAuditEventPanel } from "#app/(console)/audit/(list)/[eventId]/late-audit-event-panel.tsx";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export default async function AuditEventPage({ params }: { params: Promise<{ eventId: string }> }) {
  const { eventId } = await params;
  await prefetchSubject(trpc.auditEvents.read.queryOptions({ eventId }));
  return (
    <Hydrate>
      <LateAuditEventPanel eventId={eventId} />
    </Hydrate>
  );
}
