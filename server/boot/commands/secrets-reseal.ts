import type postgres from "postgres";
import { defined } from "../../base/defined.ts";
import { keyNumber, openFor, sealFor } from "../../operation/seal.ts";
import type { Several } from "../../platform.ts";
import { type Row, SEALED, type SealedColumn, sealedValue } from "../sealed-columns.ts";
import { withDatabase } from "../with-database.ts";

const BATCH = 200;

interface Counts {
  resealed: number;
  /** The number of values that none of the keys opens. */
  closed: number;
  /** The numbers of the keys with which those were sealed. */
  lacking: Set<number>;
}

/** Seals the values of a column under the first key; a value that changes meanwhile was already sealed with it. */
async function reseal(sql: postgres.Sql, keys: Several<Uint8Array>, sealed: SealedColumn): Promise<Counts> {
  const { table, column, key, beside = [], where = "true", context } = sealed;
  const counts: Counts = { resealed: 0, closed: 0, lacking: new Set() };
  const keyed = `(${key.map((name) => `t.${name}`).join(", ")})`;
  for (let after: unknown[] | null = null; ; ) {
    const later = after ? `${keyed} > (${key.map((_, place) => `$${place + 1}`).join(", ")})` : "true";
    const rows: Row[] = await sql.unsafe(
      `select ${[...key, ...beside, column].map((name) => `t.${name}`).join(", ")} from ${table} t
       where t.${column} is not null and ${where} and ${later} order by ${keyed} limit ${BATCH}`,
      (after ?? []) as string[],
    );
    for (const row of rows) {
      const stored = sealedValue(row, sealed);
      const [newest] = keys;
      if (stored[0] === keyNumber(newest) && openFor(newest, context(row), stored)) continue;
      const plain = openFor(keys, context(row), stored);
      if (!plain) {
        counts.closed++;
        counts.lacking.add(defined(stored[0]));
        continue;
      }
      const values = [sealFor(newest, context(row), plain), stored, ...key.map((name) => row[name])];
      const is = key.map((name, place) => `${name} = $${place + 3}`).join(" and ");
      const changed = await sql.unsafe(
        `update ${table} set ${column} = $1 where ${column} = $2 and ${is}`,
        values as string[],
      );
      counts.resealed += changed.count;
    }
    const last = rows.at(-1);
    if (!last) return counts;
    after = key.map((name) => last[name]);
  }
}

// Moves values that are sealed under older entries of SEALING_KEY to its first, while the platform runs; may be
// repeated.
await withDatabase(async ({ client }, { sealingKeys }) => {
  for (const sealed of SEALED) {
    const { resealed, closed, lacking } = await reseal(client, sealingKeys, sealed);
    const what = `${sealed.table}.${sealed.column}`;
    if (resealed > 0) console.log(`${what}: ${resealed} encrypted again with the newest key.`);
    if (closed > 0) {
      const numbers = [...lacking].sort((one, other) => one - other).join(", ");
      console.error(
        `${what}: ${closed} can't be decrypted with any key of SEALING_KEY; their key numbers are ${numbers}.`,
      );
      process.exitCode = 1;
    }
  }
}).catch((reason) => {
  console.error(reason);
  process.exitCode = 1;
});
