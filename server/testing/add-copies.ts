import postgres from "postgres";
import type { startApi } from "./api.ts";

type Api = Pick<Awaited<ReturnType<typeof startApi>>, "platform">;

/**
 * Adds newer rows to a table: copies of an account's rows, by the account's UUID, that belong to no end user. `fresh` are
 * the columns that get a UUID of their own in each row.
 */
export async function addCopies(
  { platform }: Api,
  {
    table,
    account,
    count,
    fresh = ["id"],
  }: { table: string; account: string; count: number; fresh?: string[] },
): Promise<void> {
  // So many rows may take longer than a call.
  const patient = postgres(platform.database.url, { max: 1 });
  const [columns] = await patient<{ names: string }[]>`
    select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER' and column_name <> all(${[...fresh, "end_user_id"]})`;
  await patient.unsafe(
    `insert into ${table} (${fresh.join(", ")}, ${columns?.names})
      select ${fresh.map(() => "uuidv7()").join(", ")}, ${columns?.names}
      from ${table}, generate_series(1, $2::int) where account_id = $1`,
    [account, count],
  );
  await patient`analyze ${patient(table)}`;
  await patient.end();
}
