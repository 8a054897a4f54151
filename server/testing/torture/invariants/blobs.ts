import { readdirSync } from "node:fs";
import { sql } from "drizzle-orm";
import type { Installation } from "../installation.ts";

/** Each blob on disk is something's, or is known to be nobody's and will be deleted; and nothing's blob is missing. */
export async function checkBlobs({ database, env }: Installation): Promise<string[]> {
  const { folder } = env.blobs as { folder: string };
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const stored = new Set(
    names.flatMap((name) => name.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/)?.[0] ?? []),
  );
  const rows = await database.db.execute<{ key: string; due: boolean }>(sql`
    select blob_key as key, true as due from files union all select blob_key, true from artifacts
    union all select key, false from loose_blobs union all select key, false from blob_bytes`);
  const known = new Set([...rows].map(({ key }) => key));
  const missing = [...rows].filter(({ key, due }) => due && !stored.has(key));
  return [
    ...[...stored].filter((key) => !known.has(key)).map((key) => `The blob ${key} is nobody's.`),
    ...missing.map(({ key }) => `The blob ${key} is missing.`),
  ];
}
