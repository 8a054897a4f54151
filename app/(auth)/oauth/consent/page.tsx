import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Consent } from "#app/(auth)/oauth/consent/consent.tsx";
import { ProofDialogs } from "#app/(console)/_shell/proof-dialogs.tsx";
import { requirePerson } from "#app/current-person.ts";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";
import { routes } from "#components/routes.ts";
import { TextLink } from "#components/ui/link.tsx";
import { listAccounts } from "#server/members/switch-account.ts";

type Search = { request?: string | string[] };

export const metadata: Metadata = { title: "Connect an app", robots: "noindex" };

export default async function ConsentPage({ searchParams }: { searchParams: Promise<Search> }) {
  const person = await requirePerson();
  const { request } = await searchParams;
  if (typeof request !== "string") notFound();
  if (person.mustEnrol) return <FactorFirst account={person.accountName} />;
  await prefetchSubject(trpc.apps.requests.read.queryOptions({ requestId: request }));
  const { accounts } = await listAccounts(person);
  const { name, email, accountId, accountName } = person;
  const user = { name, email };
  return (
    <Hydrate>
      <Consent requestId={request} user={user} accounts={accounts} />
      <ProofDialogs viewer={{ user, account: { id: accountId, name: accountName } }} />
    </Hydrate>
  );
}

function FactorFirst({ account }: { account: string }) {
  return (
    <>
      <h1 className="font-semibold text-20">Set up a second factor first</h1>
      <p className="text-muted">{account} requires one. Then begin again in the app.</p>
      <p>
        <TextLink href={routes.secondFactor()}>Set up a second factor</TextLink>
      </p>
    </>
  );
}
