"use client";

import { useQuery } from "@tanstack/react-query";
import { Countdown } from "#app/(console)/approvals/countdown.tsx";
import { InvokeResult } from "#app/(console)/services/[serviceId]/[operationId]/invoke-result.tsx";
import { useInvoke } from "#app/(console)/services/[serviceId]/[operationId]/use-invoke.ts";
import { type Capability, priceText } from "#app/(console)/services/capability.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Section } from "#components/ui/section.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { Status } from "#components/ui/status.tsx";

/** Calls the operation with an approval and exactly the approved input. */
export function ApprovedInvoke({ capability, approvalId }: { capability: Capability; approvalId: string }) {
  const { serviceId, operationId } = capability;
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.approvals.read.queryOptions({ approvalId }));
  const invoke = useInvoke(capability);
  const again = <TextLink href={routes.services.operation(serviceId, operationId)}>Ask anew</TextLink>;
  if (error) return <ErrorNotice what="The approval could not be loaded." error={error} action={again} />;
  if (!data) return <Skeleton className="h-48" />;
  const { status, summary, payload, expiresAt } = data.approval;
  const input = (payload as { input?: unknown } | null | undefined)?.input;
  return (
    <>
      <Section
        title="Call as approved"
        description={`This really calls it, once. ${priceText(capability.price)}.`}
        action={again}
      >
        <p className="flex flex-wrap items-center gap-2">
          <Status value={status} />
          <TextLink href={routes.approvals.read(approvalId)}>Open the approval</TextLink>
        </p>
        <p className="break-words font-medium">{summary}</p>
        {input !== undefined && <CodeBlock label="input" code={JSON.stringify(input, null, 2)} />}
        <p role="status">{status === "pending" && "It waits for a decision. This page goes on by itself."}</p>
        {status === "approved" && (
          <p className="flex flex-wrap items-center gap-3">
            <Button
              variant="danger"
              pending={invoke.isPending}
              onClick={() => invoke.mutate({ input, approvalId })}
            >
              Invoke
            </Button>
            <span className="text-13 text-muted">
              The approval expires <Countdown to={expiresAt} />.
            </span>
          </p>
        )}
        <ErrorNotice what="The operation was not carried out." error={invoke.error} />
      </Section>
      <InvokeResult answer={invoke.data} />
    </>
  );
}
