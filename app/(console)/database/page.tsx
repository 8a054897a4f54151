import { Tables } from "#app/(console)/database/tables.tsx";

export default function TablesPage() {
  return <Tables />;
}
