import { sql } from "drizzle-orm";
import type { startApi } from "./api.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** Lets so many UTC days pass for all that is counted by days in the database of a test. No row changes. */
export async function passDays({ platform }: Pick<Api, "platform">, days: number): Promise<void> {
  await platform.database.db.execute(sql`
    create or replace function utc_today() returns date language sql as
    ${sql.raw(`$$ select (clock_timestamp() at time zone 'utc')::date + ${days} $$`)}`);
}
