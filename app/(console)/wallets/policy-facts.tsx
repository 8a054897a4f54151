"use client";

import { NamedAddress, useAddressNames } from "#components/address-names.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { Facts } from "#components/ui/section.tsx";
import type { Wallet } from "#server/wallets/schema.ts";

type Policy = Wallet["policy"];

const cap = (usd: string | null) => (usd === null ? "No cap" : <Amount value={usd} unit="USD" />);

const feeCap = (usd: string | null) => (usd === null ? "The installation's limit" : cap(usd));

function only(list: readonly string[] | null, all: string) {
  if (list === null) return all;
  if (list.length === 0) return "None";
  return (
    <ul>
      {list.map((item) => (
        <li key={item} className="break-all font-mono text-13">
          {item}
        </li>
      ))}
    </ul>
  );
}

/** To whom it may send, by their names. */
function Recipients({ addresses }: { addresses: readonly string[] | null }) {
  const names = useAddressNames(addresses ?? []);
  if (addresses === null) return "Everyone";
  if (addresses.length === 0) return "None";
  return (
    <ul className="flex flex-col gap-1">
      {addresses.map((address) => (
        <li key={address}>
          <NamedAddress address={address} names={names} />
        </li>
      ))}
    </ul>
  );
}

/** What a wallet may do, in words. */
export function PolicyFacts({ policy }: { policy: Policy }) {
  const { allowedContracts, allowedRecipients, signatures } = policy;
  const contracts =
    allowedContracts?.map(({ address, methods }) =>
      methods ? `${address} ${methods.join(" ") || "(no method)"}` : address,
    ) ?? null;
  return (
    <Facts
      items={[
        { name: "Per transaction", value: cap(policy.maxPerTransactionUsd) },
        { name: "Per day", value: cap(policy.dailyLimitUsd) },
        { name: "Network fee per transaction", value: feeCap(policy.maxNetworkFeeUsd) },
        { name: "Network fees per day", value: feeCap(policy.dailyNetworkFeeUsd) },
        { name: "Recipients", value: <Recipients addresses={allowedRecipients} /> },
        { name: "Assets", value: only(policy.allowedAssets, "All") },
        { name: "Networks", value: only(policy.allowedNetworks, "All") },
        { name: "Contracts", value: only(contracts, "All") },
        {
          name: "Signatures",
          value: `${signatures.messages ? "Messages" : "No messages"}; typed data of ${signatures.typedDataContracts === null ? "all contracts" : `${signatures.typedDataContracts.length} contracts`}`,
        },
        { name: "Approval", value: approvalWords(policy.approval) },
      ]}
    />
  );
}

function approvalWords({
  always,
  aboveUsd,
  requiredApprovals,
  initiatorMayApprove,
  policyChanges,
}: Policy["approval"]): string {
  const when = always ? "For everything" : aboveUsd === null ? null : `Above ${aboveUsd} USD`;
  const people = `${requiredApprovals} ${requiredApprovals === 1 ? "approver" : "approvers"}`;
  const own = initiatorMayApprove ? ", who may have asked for it" : " other than who asked";
  const loosening = policyChanges ? " Loosening this policy needs one too." : "";
  return when ? `${when}, by ${people}${own}.${loosening}` : `Never.${loosening}`;
}
