import type { Metadata } from "next";
import { DatabasePage } from "#app/(console)/database/database-page.tsx";
import { Hydrate, prefetch, trpc } from "#components/trpc-server.tsx";

export const metadata: Metadata = { title: "Database" };

export default async function Database() {
  await prefetch(trpc.databases.account.read.queryOptions());
  return (
    <Hydrate>
      <DatabasePage />
    </Hydrate>
  );
}
