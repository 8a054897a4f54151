"use client";

import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { ApprovedInvoke } from "#app/(console)/services/[serviceId]/[operationId]/approved-invoke.tsx";
import { AskForm } from "#app/(console)/services/[serviceId]/[operationId]/ask-form.tsx";
import { CapabilityFacts } from "#app/(console)/services/[serviceId]/[operationId]/capability-facts.tsx";
import { CapabilityUse } from "#app/(console)/services/[serviceId]/[operationId]/capability-use.tsx";
import { InvokeForm } from "#app/(console)/services/[serviceId]/[operationId]/invoke-form.tsx";
import type { Capability } from "#app/(console)/services/capability.ts";
import { operationQuery } from "#app/(console)/services/queries.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { PageSkeleton } from "#components/ui/skeleton.tsx";

/** An operation of a service: its input, its price, and a form that really calls it. */
export function CapabilityPage({
  serviceId,
  operationId,
  mayInvoke,
  mayRun,
  mayAsk,
}: {
  serviceId: string;
  operationId: string;
  mayInvoke: boolean;
  mayRun: boolean;
  mayAsk: boolean;
}) {
  const trpc = useTRPC();
  const list = useQuery(trpc.capabilities.read.queryOptions(operationQuery(serviceId, operationId)));
  const capability = list.data?.capabilities.find((one) => one.operationId === operationId);
  if (list.isPending) return <PageSkeleton />;
  return (
    <Page>
      <PageHeader
        title={capability?.title ?? operationId}
        sentence={capability?.description}
        back={<TextLink href={routes.services.read(serviceId)}>{serviceId}</TextLink>}
        action={
          mayRun &&
          capability?.modes.includes("run") && (
            <ButtonLink href={routes.runs.create({ serviceId, operationId })}>Run durably</ButtonLink>
          )
        }
      />
      <ErrorNotice what="The operation could not be loaded." error={list.error} />
      {list.data && !capability && (
        <EmptyState title="No such operation">
          {serviceId} has no operation {operationId}.
        </EmptyState>
      )}
      {capability && (
        <div className="grid min-w-0 grid-cols-1 gap-8 lg:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-6">
            <CapabilityCall capability={capability} mayInvoke={mayInvoke} mayAsk={mayAsk} />
          </div>
          <CapabilityFacts capability={capability} />
        </div>
      )}
    </Page>
  );
}

/**
 * The form to call the operation, to request an approval, or to call it with one; for keys only, how a key calls it.
 */
function CapabilityCall({
  capability,
  mayInvoke,
  mayAsk,
}: {
  capability: Capability;
  mayInvoke: boolean;
  mayAsk: boolean;
}) {
  const approvalId = useSearchParams().get("approvalId");
  if (!mayInvoke || !capability.modes.includes("invoke")) return <CapabilityUse capability={capability} />;
  if (!capability.requiresApproval) return <InvokeForm capability={capability} />;
  if (approvalId) return <ApprovedInvoke capability={capability} approvalId={approvalId} />;
  return mayAsk ? <AskForm capability={capability} /> : <CapabilityUse capability={capability} />;
}
