import type { Metadata } from "next";
import type { ReactNode } from "react";
import { DatabaseFrame } from "#app/(console)/database/database-frame.tsx";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "Database" };

export default async function DatabaseLayout({ children }: { children: ReactNode }) {
  await prefetch(trpc.databases.account.read.queryOptions());
  return (
    <Hydrate>
      <DatabaseFrame>{children}</DatabaseFrame>
    </Hydrate>
  );
}
