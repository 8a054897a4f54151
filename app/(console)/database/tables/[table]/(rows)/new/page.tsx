import { NewRow } from "#app/(console)/database/tables/[table]/new-row.tsx";

export default async function NewRowPage({ params }: { params: Promise<{ table: string }> }) {
  return <NewRow name={decodeURIComponent((await params).table)} />;
}
