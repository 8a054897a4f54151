"use client";

import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { CapRow, Rows } from "#app/(console)/approvals/impact.tsx";
import { takenTogether } from "#app/(console)/approvals/taken-together.ts";
import type { Approval } from "#app/(console)/approvals/words.ts";
import { WalletLink } from "#app/(console)/wallets/wallet-link.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Usd } from "#components/ui/amount.tsx";

export type ManyImpactProps = { approvals: readonly Approval[] };

/** Shows the total that several approvals spend, and each wallet's cap of today before and after all of them. */
export function ManyImpact(props: ManyImpactProps) {
  const trpc = useTRPC();
  // A decided approval has no impact any more: everything stays as it was before the decisions.
  const [{ approvals, now }] = useState(() => ({ ...props, now: new Date().toISOString() }));
  const read = useQueries({
    queries: approvals.map(({ id }) => ({
      ...trpc.approvals.impact.read.queryOptions({ approvalId: id }),
      meta: { still: true },
      refetchOnWindowFocus: false,
    })),
  });
  if (read.some(({ isPending }) => isPending)) return <p className="text-muted">Adding up their spending…</p>;
  const asked = approvals.flatMap(({ createdAt }, place) => {
    const impact = read[place]?.data?.impact;
    return impact ? [{ createdAt, impact }] : [];
  });
  const { valueUsd, unpriced, caps } = takenTogether(asked, now);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p>
        In all they spend <Usd value={valueUsd} />
        {unpriced > 0 && `, and ${unpriced} without a price`}.
        {asked.length < approvals.length && " The changes of some could not be read."}
      </p>
      {caps.length > 0 && (
        <Rows>
          {caps.map(({ walletId, valueUsd, ...cap }) => (
            <CapRow key={walletId} of={<WalletLink walletId={walletId} />} cap={cap} valueUsd={valueUsd} />
          ))}
        </Rows>
      )}
    </div>
  );
}
