"use client";

import { useQuery } from "@tanstack/react-query";
import { useSymbols } from "#app/(console)/_quote/use-symbols.ts";
import type { paymentOf } from "#app/(console)/approvals/words.ts";
import { Address } from "#components/address-names.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

type Payment = NonNullable<ReturnType<typeof paymentOf>>;

/** Shows the amount of a payment, with the asset's name. */
export function PaidAmount({ network, asset, amount }: Payment) {
  const { symbolOf } = useSymbols();
  return <Amount value={amount} unit={symbolOf(network, asset)} />;
}

const FEW = 10;

/** Shows the recipient, their name, whether the policy's list has them, and earlier payments to them. */
export function Recipient({ walletId, to }: Payment) {
  const trpc = useTRPC();
  const wallet = useQuery(trpc.wallets.read.queryOptions({ walletId })).data?.wallet;
  const sent = useQuery(
    trpc.wallets.transactions.list.queryOptions({ walletId, to, status: "confirmed", limit: FEW }),
  ).data;
  const [last] = sent?.transactions ?? [];
  const times = sent?.transactions.length ?? 0;
  return (
    <>
      <Address address={to} />
      <span className="block text-13 text-muted">
        {wallet?.policy.allowedRecipients?.includes(to) && "On the policy’s list of recipients. "}
        {last && (
          <>
            Confirmed {times === 1 ? "once" : `${times}${sent?.nextCursor ? " times and more" : " times"}`}{" "}
            before, last <RelativeTime at={last.createdAt} />.
          </>
        )}
        {sent && !last && <span className="text-warn">This wallet has never sent there.</span>}
      </span>
    </>
  );
}
