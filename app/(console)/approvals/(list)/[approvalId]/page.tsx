import { LazyApprovalPanel } from "#app/(console)/approvals/(list)/[approvalId]/lazy-approval-panel.tsx";
import { may, requirePerson } from "#app/current-person.ts";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export default async function ApprovalPage({ params }: { params: Promise<{ approvalId: string }> }) {
  const { approvalId } = await params;
  const { memberId } = await requirePerson();
  await prefetchSubject(trpc.approvals.read.queryOptions({ approvalId }));
  return (
    <Hydrate>
      <LazyApprovalPanel
        approvalId={approvalId}
        viewer={{ memberId, mayDecide: await may("approvals:write") }}
      />
    </Hydrate>
  );
}
