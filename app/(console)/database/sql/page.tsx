import type { Metadata } from "next";
import { SqlConsole } from "#app/(console)/database/sql/sql-console.tsx";
import { may } from "#app/current-person.ts";

export const metadata: Metadata = { title: "SQL" };

export default async function SqlPage() {
  return <SqlConsole mayWrite={await may("databases:write")} />;
}
