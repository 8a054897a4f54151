"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { TotalUsd } from "#app/(console)/wallets/[walletId]/total.tsx";
import { PolicyChips, policyWords } from "#app/(console)/wallets/policy-chips.tsx";
import { walletList } from "#app/(console)/wallets/queries.ts";
import { WalletTabs } from "#app/(console)/wallets/wallet-tabs.tsx";
import { curlOf, useOrigin } from "#components/curl.ts";
import { NetworkChips } from "#components/networks.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { useList } from "#components/table/use-list.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Wallet } from "#server/wallets/schema.ts";

const columns: Column<Wallet>[] = [
  { header: "Wallet", cell: ({ label }) => label, csv: ({ label }) => label, sort: "label" },
  {
    header: "Address",
    plain: true,
    cell: ({ address }) => <Copyable value={address} />,
    csv: ({ address }) => address,
    width: "10.5rem",
  },
  {
    header: "Worth",
    plain: true,
    cell: ({ id }) => <TotalUsd walletId={id} />,
    align: "end",
    width: "7.5rem",
  },
  {
    header: "Networks",
    cell: ({ networks }) => <NetworkChips ids={networks} />,
    csv: ({ networks }) => networks.join(" "),
    minor: true,
    width: "8rem",
  },
  {
    header: "Policy",
    cell: ({ policy }) => <PolicyChips policy={policy} />,
    csv: ({ policy }) => policyWords(policy).join(", ") || "No limits",
    minor: true,
    width: "10rem",
  },
  {
    header: "End user",
    cell: ({ endUser }) => endUser ?? "none",
    csv: ({ endUser }) => endUser,
    optional: true,
    width: "6rem",
  },
  {
    header: "Status",
    plain: true,
    cell: ({ status }) => <Status value={status} />,
    csv: ({ status }) => status,
    width: "6.5rem",
  },
  {
    header: "Created",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: "createdAt",
    width: "7rem",
  },
  idColumn,
];

export function WalletList({ mayCreate }: { mayCreate: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(walletList);
  const query = trpc.wallets.list.queryOptions(state.query);
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  return (
    <Page>
      <PageHeader
        title="Wallets"
        sentence="Custodial wallets: their keys are sealed here, and each sends and signs within its policy alone."
        action={
          mayCreate && (
            <ButtonLink variant="primary" href={routes.wallets.create()}>
              New wallet
            </ButtonLink>
          )
        }
      />
      <WalletTabs />
      <ListTable
        state={state}
        label="Wallets"
        columns={columns}
        list={list}
        failed="The wallets could not be loaded."
        ask={client.wallets.list.query}
        rowsOf={({ wallets }) => wallets}
        rowHref={({ id }) => routes.wallets.read(id)}
        empty={<NoWallets />}
      />
    </Page>
  );
}

function NoWallets() {
  const call = { method: "POST", path: "/wallets", idempotent: true, body: { label: "Treasury" } };
  return (
    <EmptyState title="No wallets yet" curl={curlOf(useOrigin(), call)}>
      A wallet holds and sends native assets and tokens on every chain of this installation, within caps and
      lists of your choice, and with people's approval where you ask for it.
    </EmptyState>
  );
}
