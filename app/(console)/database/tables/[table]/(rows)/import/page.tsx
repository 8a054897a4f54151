import { ImportCsv } from "#app/(console)/database/tables/[table]/import-csv.tsx";

export default async function ImportCsvPage({ params }: { params: Promise<{ table: string }> }) {
  return <ImportCsv name={decodeURIComponent((await params).table)} />;
}
