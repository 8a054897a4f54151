import {
  type CsvTable,
  columnsOfConstraint,
  faultsOfForm,
  faultsOfTypes,
  insertOf,
  toCsvTable,
  typeCheck,
} from "#app/(console)/database/tables/[table]/csv-table.ts";
import { BrokenCsv, type CsvFault, parseCsv } from "#app/(console)/database/tables/[table]/parse-csv.ts";
import type { Table } from "#app/(console)/database/tables/[table]/row-query.ts";
import type { useTRPCClient } from "#components/trpc.tsx";
import { readProblem } from "#components/ui/problem.ts";

type Client = ReturnType<typeof useTRPCClient>;

/** The maximum of a call's JSON body, less room for its envelope (`requests.maximumJsonBytes` of `/pricing`). */
const MAX_BYTES = 1_048_576 - 8_192;
const MAX_PARTS = 200;
/** Larger files are not read: as JSON their rows are about as large, and the page would freeze. */
const MAX_READ = 16 * 1_048_576;

/** A parsed file that can be imported, or the faults that prevent it. */
type CheckedCsv = { table: CsvTable | null; faults: CsvFault[] };

const wrong = (line: number, message: string): CheckedCsv => ({
  table: null,
  faults: [{ line, column: null, message }],
});

/**
 * Parses a file, has PostgreSQL check each value against its column's type, and tries the import. Throws the API's
 * refusals.
 */
export async function checkCsv(client: Client, table: Table, file: File): Promise<CheckedCsv> {
  if (file.size > MAX_READ)
    return wrong(
      1,
      `The file has ${file.size} bytes; one import, which is one call, takes ${MAX_BYTES}. Split the file.`,
    );
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return wrong(1, "The file is not UTF-8. Save it as CSV in UTF-8.");
  }
  try {
    const lines = parseCsv(text);
    const faults = faultsOfForm(table, lines);
    if (faults.length > 0) return { table: null, faults };
    const csv = toCsvTable(table, lines);
    const bytes = new TextEncoder().encode(JSON.stringify(insertOf(table.name, csv))).length;
    if (bytes > MAX_BYTES) {
      const fitting = Math.floor((csv.rows.length * MAX_BYTES) / bytes);
      const way =
        fitting > 0 ? `Split the file after about ${fitting} rows.` : "Shorten the values of its rows.";
      return wrong(
        1,
        `The rows take ${bytes} bytes; one import, which is one call, takes ${MAX_BYTES}. ${way}`,
      );
    }
    const check = typeCheck(csv);
    const found = check ? (await client.databases.query.mutate(check)).rows : [];
    if (found.length > 0) return { table: csv, faults: faultsOfTypes(csv, found) };
    const fault = await tryImport(client, table, csv);
    return { table: csv, faults: fault ? [fault] : [] };
  } catch (reason) {
    if (reason instanceof BrokenCsv) return { table: null, faults: [reason.fault] };
    throw reason;
  }
}

/**
 * Tries to insert all rows; if a constraint refuses one, bisects to find its line, trying each part after the rows
 * before it.
 */
async function tryImport(client: Client, table: Table, csv: CsvTable): Promise<CsvFault | null> {
  const attempt = async (parts: CsvTable[]) => {
    try {
      const actions = parts.map((part) => insertOf(table.name, part));
      await client.databases.actions.mutate({ actions, dryRun: true });
      return null;
    } catch (reason) {
      const [issue] = readProblem(reason).issues;
      const place = /^body\.actions\.(\d+)\.sql$/.exec(issue?.path ?? "")?.[1];
      if (!issue || place === undefined) throw reason;
      return { place: Number(place), message: issue.message };
    }
  };
  const whole = await attempt([csv]);
  if (!whole) return null;
  let { message } = whole;
  let start = 0;
  let size = csv.rows.length;
  while (size > 1) {
    const step = Math.ceil(size / MAX_PARTS);
    const starts = Array.from({ length: Math.ceil(size / step) }, (_, part) => start + part * step);
    const part = (from: number, to: number) => ({ ...csv, rows: csv.rows.slice(from, to) });
    const before = start > 0 ? [part(0, start)] : [];
    const end = start + size;
    const failed = await attempt([
      ...before,
      ...starts.map((from) => part(from, Math.min(from + step, end))),
    ]);
    if (!failed) break;
    message = failed.message;
    start = starts[failed.place - before.length] ?? start;
    size = Math.min(step, end - start);
  }
  const line = csv.rows[start]?.line ?? 1;
  return { line, column: columnsOfConstraint(table, message), message };
}
