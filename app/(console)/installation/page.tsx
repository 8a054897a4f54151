import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Installation } from "#app/(console)/installation/installation.tsx";
import { requirePerson } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "Installation" };

export default async function InstallationPage() {
  if (!(await requirePerson()).isOperator) notFound();
  await prefetch(trpc.installation.read.queryOptions({}));
  return (
    <Hydrate>
      <Installation />
    </Hydrate>
  );
}
