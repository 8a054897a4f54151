import { LazyAuditEventPanel } from "#app/(console)/audit/(list)/[eventId]/lazy-audit-event-panel.tsx";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export default async function AuditEventPage({ params }: { params: Promise<{ eventId: string }> }) {
  const { eventId } = await params;
  await prefetchSubject(trpc.auditEvents.read.queryOptions({ eventId }));
  return (
    <Hydrate>
      <LazyAuditEventPanel eventId={eventId} />
    </Hydrate>
  );
}
