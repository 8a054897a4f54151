import { LazyNewRow } from "#app/(console)/database/tables/[table]/lazy-new-row.tsx";

export default async function NewRowPage({ params }: { params: Promise<{ table: string }> }) {
  return <LazyNewRow name={decodeURIComponent((await params).table)} />;
}
