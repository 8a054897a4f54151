import { LateImportCsv } from "#app/(console)/database/tables/[table]/late-import-csv.tsx";

export default async function ImportCsvPage({ params }: { params: Promise<{ table: string }> }) {
  return <LateImportCsv name={decodeURIComponent((await params).table)} />;
}
