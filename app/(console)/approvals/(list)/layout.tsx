import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ApprovalList } from "#app/(console)/approvals/approval-list.tsx";
import { approvalList } from "#app/(console)/approvals/queries.ts";
import { may, requirePerson } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Approvals" };

export default async function ApprovalsLayout({ children }: { children: ReactNode }) {
  const { memberId } = await requirePerson();
  const asked = approvalList.query(await wantedFilters(approvalList.names));
  await prefetch(trpc.approvals.list.queryOptions(asked), trpc.approvals.mails.read.queryOptions());
  return (
    <Hydrate>
      <ApprovalList memberId={memberId} mayDecide={await may("approvals:write")} />
      {children}
    </Hydrate>
  );
}
