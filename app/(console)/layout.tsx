import type { ReactNode } from "react";
import { ConsoleFrame } from "#app/(console)/_shell/console-frame.tsx";
import { requirePerson } from "#app/current-person.ts";
import { DataProvider } from "#components/trpc.tsx";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const { name, email, accountId, accountName } = await requirePerson();
  return (
    <DataProvider>
      <ConsoleFrame viewer={{ user: { name, email }, account: { id: accountId, name: accountName } }}>
        {children}
      </ConsoleFrame>
    </DataProvider>
  );
}
