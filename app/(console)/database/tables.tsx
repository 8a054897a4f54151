"use client";

import { TableList } from "#app/(console)/database/table-list.tsx";
import { useDatabase } from "#app/(console)/database/use-database.ts";
import { ViewList } from "#app/(console)/database/view-list.tsx";
import { inDigits } from "#components/ui/digits.ts";
import { Figure } from "#components/ui/section.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

const MB = 1_048_576;
const inMegabytes = (bytes: number) => `${inDigits(bytes / MB, 1)} MB`;

/** Shows the database's size and its tables, views and functions. */
export function Tables() {
  const { database } = useDatabase();
  if (!database) return null;
  const { sizeBytes, limits, tables, complete, createdAt } = database;
  return (
    <>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
        <Figure label="Size" value={inMegabytes(sizeBytes)} hint={`of ${inMegabytes(limits.maximumBytes)}`} />
        <Figure
          label="Tables"
          value={complete ? tables.length : `${inDigits(tables.length)} or more`}
          hint="in the schema public"
        />
        <Figure
          label="Provisioned"
          value={createdAt && <RelativeTime at={createdAt} />}
          hint={`${limits.connections} statements at a time`}
        />
      </div>
      {!complete && (
        <p className="text-13 text-muted">
          There is more than is shown here. Ask for the others by SQL, in <code>pg_class</code> and{" "}
          <code>pg_proc</code>.
        </p>
      )}
      <TableList tables={tables} complete={complete} />
      <ViewList database={database} />
    </>
  );
}
