"use client";

import type { ReactNode } from "react";
import { useSymbols } from "#app/(console)/_quote/use-symbols.ts";
import { mergedContracts } from "#app/(console)/wallets/policy-values.ts";
import { NamedAddress, useAddressNames } from "#components/address-names.tsx";
import { Network } from "#components/networks.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { Mark } from "#components/ui/mark.tsx";
import { Facts } from "#components/ui/section.tsx";
import type { Wallet } from "#server/wallets/schema.ts";

type Policy = Wallet["policy"];

const cap = (usd: string | null) => (usd === null ? "No cap" : <Amount value={usd} unit="USD" />);

const feeCap = (usd: string | null) => (usd === null ? "The installation's limit" : cap(usd));

function Only({ list, show }: { list: readonly string[] | null; show: (item: string) => ReactNode }) {
  if (list === null) return "All";
  if (list.length === 0) return "None";
  return (
    <ul className="flex flex-col gap-1">
      {list.map((item) => (
        <li key={item}>{show(item)}</li>
      ))}
    </ul>
  );
}

/** Shows the rules of a wallet's policy in words. */
export function PolicyFacts({ policy }: { policy: Policy }) {
  const { allowedContracts, allowedRecipients, signatures } = policy;
  const { tokens } = useSymbols();
  const contracts = allowedContracts && mergedContracts(allowedContracts);
  const addresses = contracts?.map(({ address }) => address) ?? null;
  const names = useAddressNames([
    ...(allowedRecipients ?? []),
    ...(addresses ?? []),
    ...(signatures.typedDataContracts ?? []),
  ]);
  const named = (address: string) => <NamedAddress address={address} names={names} />;
  return (
    <Facts
      items={[
        { name: "Per transaction", value: cap(policy.maxPerTransactionUsd) },
        { name: "Per day", value: cap(policy.dailyLimitUsd) },
        { name: "Network fee per transaction", value: feeCap(policy.maxNetworkFeeUsd) },
        { name: "Network fees per day", value: feeCap(policy.dailyNetworkFeeUsd) },
        {
          name: "Recipients",
          value: allowedRecipients === null ? "Everyone" : <Only list={allowedRecipients} show={named} />,
        },
        {
          name: "Assets",
          value: (
            <Only list={policy.allowedAssets} show={(asset) => <Asset asset={asset} tokens={tokens} />} />
          ),
        },
        {
          name: "Networks",
          value: <Only list={policy.allowedNetworks} show={(id) => <Network id={id} />} />,
        },
        {
          name: "Contracts",
          value: (
            <Only
              list={addresses}
              show={(address) => (
                <>
                  {named(address)}
                  <Methods of={contracts?.find((one) => one.address === address)?.methods ?? null} />
                </>
              )}
            />
          ),
        },
        {
          name: "Signatures",
          value: signatures.messages ? "Messages may be signed" : "No messages",
        },
        { name: "Typed data of", value: <Only list={signatures.typedDataContracts} show={named} /> },
        { name: "Approval", value: approvalWords(policy.approval) },
      ]}
    />
  );
}

function Asset({ asset, tokens }: { asset: string; tokens: ReturnType<typeof useSymbols>["tokens"] }) {
  const token = tokens.find((known) => known.asset === asset);
  if (!token) return <span className="break-all font-mono text-13">{asset}</span>;
  return (
    <>
      <Mark name={token.symbol} />
      {token.symbol} <span className="break-all font-mono text-12 text-muted">{asset}</span>
    </>
  );
}

function Methods({ of }: { of: readonly string[] | null }) {
  if (of === null) return <p className="text-13 text-muted">Every method</p>;
  if (of.length === 0) return <p className="text-13 text-muted">No method</p>;
  return <p className="break-all font-mono text-13">{of.join(", ")}</p>;
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
