import type { Metadata } from "next";
import { Copies } from "#app/(console)/database/copies/copies.tsx";
import { may } from "#app/current-person.ts";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Copies" };

export default async function CopiesPage() {
  const { transfer } = await wantedFilters(["transfer"]);
  return <Copies transferId={transfer} mayWrite={await may("databases:write")} />;
}
