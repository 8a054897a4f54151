"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { useSymbols } from "#app/(console)/_quote/use-symbols.ts";
import { Network } from "#components/networks.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Amount, Credits } from "#components/ui/amount.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Facts } from "#components/ui/section.tsx";
import { SideModal } from "#components/ui/side-modal.tsx";
import { Status } from "#components/ui/status.tsx";
import { ExactTime } from "#components/ui/time.tsx";

/** What has become of a transaction, as it happens. */
export function TransactionPanel({ walletId, transactionId }: { walletId: string; transactionId: string }) {
  const trpc = useTRPC();
  const { symbolOf } = useSymbols();
  const { transaction } = useSuspenseQuery(
    trpc.wallets.transactions.read.queryOptions({ walletId, transactionId }),
  ).data;
  const { failure, approvalId, hash, feePaid, amount, network, asset } = transaction;
  return (
    <SideModal
      title={transaction.direction === "in" ? "Received" : "Sent"}
      parent={routes.wallets.read(walletId)}
      wide
    >
      {failure && <ErrorNotice what="It was not sent." error={{ message: failure.message }} />}
      <div aria-live="polite">
        <Facts
          items={[
            { name: "Status", value: <Status value={transaction.status} /> },
            { name: "Amount", value: <Amount value={amount} unit={symbolOf(network, asset)} /> },
            { name: "From", value: <Copyable value={transaction.from} full /> },
            { name: "To", value: <Copyable value={transaction.to} full /> },
            { name: "Network", value: <Network id={network} /> },
            ...(approvalId
              ? [
                  {
                    name: "Approval",
                    value: <TextLink href={routes.approvals.read(approvalId)}>{approvalId}</TextLink>,
                  },
                ]
              : []),
            { name: "Hash", value: hash ? <Copyable value={hash} full /> : "Not signed yet" },
            { name: "Block", value: transaction.blockNumber ?? "In none yet" },
            { name: "Confirmations", value: transaction.confirmations },
            {
              name: "Network fee",
              value: feePaid ? <Amount value={feePaid} unit={symbolOf(network, "native")} /> : "None yet",
            },
            { name: "Charge", value: <Credits value={transaction.chargedCredits} /> },
            { name: "Created", value: <ExactTime at={transaction.createdAt} /> },
            ...(transaction.confirmedAt
              ? [{ name: "Confirmed", value: <ExactTime at={transaction.confirmedAt} /> }]
              : []),
            { name: "Id", value: <Copyable value={transaction.id} full /> },
          ]}
        />
      </div>
    </SideModal>
  );
}
