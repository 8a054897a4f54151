import { existsSync, readdirSync } from "node:fs";
import { sql } from "drizzle-orm";
import type { Installation } from "../installation.ts";

/**
 * Checks that each blob on disk belongs to a resource or is marked for deletion, and that no resource's blob is
 * missing.
 */
export async function checkBlobs({ database, env }: Installation): Promise<string[]> {
  const { folder } = env.blobs as { folder: string };
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const stored = new Set(
    names.flatMap((name) => name.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/)?.[0] ?? []),
  );
  const rows = await database.db.execute<{ key: string; due: boolean }>(sql`
    select blob_key as key, true as due from files union all select blob_key, true from artifacts
    union all select blob_key, true from database_transfer_parts
    union all select (archive ->> 'key')::uuid, true from database_transfers where archive is not null
    union all select key, false from loose_blobs`);
  const counted = await database.db.execute<{ key: string }>(sql`select key from blob_bytes`);
  const sums = await database.db.execute<{ account: string; kind: string; used: string; sum: string }>(sql`
    select u.account_id as account, u.kind, u.used_bytes as used, coalesce(sum(b.bytes), 0) as sum
    from storage_usage u left join blob_bytes b on (b.account_id, b.kind) = (u.account_id, u.kind)
    group by u.account_id, u.kind, u.used_bytes having u.used_bytes <> coalesce(sum(b.bytes), 0)`);
  const known = new Set([...rows].map(({ key }) => key));
  const missing = [...rows].filter(({ key, due }) => due && !stored.has(key));
  return [
    ...[...stored].filter((key) => !known.has(key)).map((key) => `The blob ${key} is nobody's.`),
    ...[...counted]
      .filter(({ key }) => !known.has(key))
      .map(({ key }) => `The blob ${key} takes room, and nothing has it or will delete it.`),
    ...[...sums].map(
      ({ account, kind, used, sum }) =>
        `The ${kind} of ${account} take ${used} bytes, and are ${sum} in sum.`,
    ),
    ...missing.map(({ key }) => `The blob ${key} is missing.`),
  ];
}
