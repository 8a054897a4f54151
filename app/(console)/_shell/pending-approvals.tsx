"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "#components/trpc.tsx";

const MOST = 99;

/** How many approvals wait for a decision, beside their place in the navigation; nothing where none does. */
export function PendingApprovals() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.approvals.pending.read.queryOptions({}));
  if (!data?.pending) return null;
  return (
    <span className="pointer-events-none absolute top-1.5 right-2 md:top-1 flex h-5 min-w-5 items-center justify-center rounded-md bg-warn-soft px-1 font-medium text-12 text-warn tabular-nums">
      <span aria-hidden="true">{data.pending > MOST ? `${MOST}+` : data.pending}</span>
      <span className="sr-only">{data.pending} pending</span>
    </span>
  );
}
