"use client";

import { useQuery } from "@tanstack/react-query";
import { type Approval, payingWalletOf } from "#app/(console)/approvals/words.ts";
import { Calls } from "#components/calls.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";

/** Shows the calls of a pending transaction, argument by argument. */
export function TransactionCalls({ approval }: { approval: Approval }) {
  const trpc = useTRPC();
  const walletId = payingWalletOf(approval) ?? "";
  const transactionId = approval.subject.id ?? "";
  const { data, error } = useQuery({
    ...trpc.wallets.transactions.read.queryOptions({ walletId, transactionId }),
    enabled: approval.kind === "transaction" && walletId !== "" && transactionId !== "",
  });
  if (error) return <ErrorNotice what="The calls of its transaction could not be read." error={error} />;
  return data ? <Calls calls={data.transaction.calls} /> : null;
}
