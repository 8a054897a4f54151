"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { EndUserLink } from "#app/(console)/_shell/end-user-link.tsx";
import { Activity } from "#app/(console)/wallets/[walletId]/activity.tsx";
import { Balances } from "#app/(console)/wallets/[walletId]/balances.tsx";
import { Total } from "#app/(console)/wallets/[walletId]/total.tsx";
import { Receive } from "#app/(console)/wallets/receive.tsx";
import { Network } from "#components/networks.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Facts, Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";
import { ExactTime } from "#components/ui/time.tsx";

// Rendered on the server as the rest; its scripts may come later.
const PolicyFacts = lazy(() =>
  import("#app/(console)/wallets/policy-facts.tsx").then(({ PolicyFacts }) => ({ default: PolicyFacts })),
);

/** A wallet: its balances, its activity, and its policy. */
export function WalletDetail({
  walletId,
  may,
}: {
  walletId: string;
  may: { create: boolean; transact: boolean; sign: boolean; administer: boolean };
}) {
  const trpc = useTRPC();
  const { wallet } = useSuspenseQuery(trpc.wallets.read.queryOptions({ walletId })).data;
  const isActive = wallet.status === "active";
  return (
    <Page>
      <PageHeader
        back={<TextLink href={routes.wallets.list()}>Wallets</TextLink>}
        title={wallet.label}
        badge={<Status value={wallet.status} />}
        sentence={<Total walletId={walletId} address={wallet.address} />}
        action={
          <>
            <ButtonLink href="#receive">Receive</ButtonLink>
            {may.administer && <ButtonLink href={routes.wallets.policy(walletId)}>Edit policy</ButtonLink>}
            {may.sign && isActive && <ButtonLink href={routes.wallets.sign(walletId)}>Sign</ButtonLink>}
            {may.transact && isActive && (
              <ButtonLink variant="primary" href={routes.wallets.send(walletId)}>
                Send
              </ButtonLink>
            )}
          </>
        }
      />
      <Balances walletId={walletId} mayFund={may.create} />
      <Activity walletId={walletId} networks={wallet.networks} />
      <Receive address={wallet.address} />
      <Section title="Policy" description={`Version ${wallet.policy.version}. Deny wins over everything.`}>
        <Suspense>
          <PolicyFacts policy={wallet.policy} />
        </Suspense>
      </Section>
      <Section title="About it">
        <Facts
          items={[
            { name: "Id", value: <Copyable value={wallet.id} full /> },
            { name: "Networks", value: <NetworkList ids={wallet.networks} /> },
            {
              name: "End user",
              value: wallet.endUser === null ? "None" : <EndUserLink externalId={wallet.endUser} />,
            },
            { name: "Created", value: <ExactTime at={wallet.createdAt} /> },
          ]}
        />
      </Section>
    </Page>
  );
}

function NetworkList({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return "None is configured (CHAINS)";
  return (
    <ul>
      {ids.map((id) => (
        <li key={id}>
          <Network id={id} />
        </li>
      ))}
    </ul>
  );
}
