import { LazyImportCsv } from "#app/(console)/database/tables/[table]/lazy-import-csv.tsx";

export default async function ImportCsvPage({ params }: { params: Promise<{ table: string }> }) {
  return <LazyImportCsv name={decodeURIComponent((await params).table)} />;
}
