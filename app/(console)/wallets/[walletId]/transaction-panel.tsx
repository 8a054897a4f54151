"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { useSymbols } from "#app/(console)/_quote/use-symbols.ts";
import { NamedAddress, NamedText, useAddressNames } from "#components/address-names.tsx";
import { Calls } from "#components/calls.tsx";
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

/** Shows a transaction's progress as it happens. */
export function TransactionPanel({ walletId, transactionId }: { walletId: string; transactionId: string }) {
  const trpc = useTRPC();
  const { symbolOf } = useSymbols();
  const { transaction } = useSuspenseQuery(
    trpc.wallets.transactions.read.queryOptions({ walletId, transactionId }),
  ).data;
  const names = useAddressNames([transaction.from, transaction.to, transaction.summary]);
  const { source, failure, approvalId, hash, feePaid, amount, network, asset } = transaction;
  return (
    <SideModal
      title={transaction.direction === "in" ? "Received" : "Sent"}
      parent={routes.wallets.read(walletId)}
      wide
    >
      {failure && <ErrorNotice what="It was not sent." error={{ message: failure.message }} />}
      <p className="break-words font-semibold text-16">
        <NamedText text={transaction.summary} names={names} />
      </p>
      <div aria-live="polite">
        <Facts
          items={[
            { name: "Status", value: <Status value={transaction.status} /> },
            { name: "Amount", value: <Amount value={amount} unit={symbolOf(network, asset)} /> },
            { name: "From", value: <NamedAddress address={transaction.from} names={names} /> },
            { name: "To", value: <NamedAddress address={transaction.to} names={names} /> },
            { name: "Network", value: <Network id={network} /> },
            ...(source
              ? [{ name: "Part of", value: <TextLink href={sourcePath(source)}>{source.id}</TextLink> }]
              : []),
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
      <Calls calls={transaction.calls} />
    </SideModal>
  );
}

const sourcePath = ({ type, id }: { type: "swap" | "order"; id: string }) =>
  type === "swap" ? routes.swaps.read(id) : routes.trading.read(id);
