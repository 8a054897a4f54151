import type { Metadata } from "next";
import { CapabilityPage } from "#app/(console)/services/[serviceId]/[operationId]/capability-page.tsx";
import { operationQuery } from "#app/(console)/services/queries.ts";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";

type Props = { params: Promise<{ serviceId: string; operationId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { serviceId, operationId } = await params;
  return { title: `${serviceId} ${operationId}` };
}

export default async function Capability({ params }: Props) {
  const { serviceId, operationId } = await params;
  await prefetchSubject(trpc.capabilities.read.queryOptions(operationQuery(serviceId, operationId)));
  return (
    <Hydrate>
      <CapabilityPage
        serviceId={serviceId}
        operationId={operationId}
        mayInvoke={await may("services:invoke")}
        mayRun={await may("runs:write")}
        mayAsk={await may("approvals:write")}
      />
    </Hydrate>
  );
}
