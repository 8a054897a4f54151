import type { Metadata } from "next";
import { EnterCode } from "#app/(auth)/device/enter-code.tsx";
import { ProofDialogs } from "#app/(console)/_shell/proof-dialogs.tsx";
import { requirePerson } from "#app/current-person.ts";

type Search = { code?: string | string[] };

export const metadata: Metadata = { title: "Connect a program", robots: "noindex" };

export default async function DevicePage({ searchParams }: { searchParams: Promise<Search> }) {
  const { name, email, accountId, accountName } = await requirePerson();
  const { code } = await searchParams;
  return (
    <>
      <EnterCode code={typeof code === "string" ? code : ""} />
      <ProofDialogs viewer={{ user: { name, email }, account: { id: accountId, name: accountName } }} />
    </>
  );
}
