import type { Metadata } from "next";
import { SqlConsole } from "#app/(console)/database/sql/sql-console.tsx";
import { may, requirePerson } from "#app/current-person.ts";

export const metadata: Metadata = { title: "SQL" };

export default async function SqlPage() {
  const { userId, accountId } = await requirePerson();
  return <SqlConsole mayWrite={await may("databases:write")} owner={`${userId}/${accountId}`} />;
}
