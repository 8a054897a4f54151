import type postgres from "postgres";
import { answerName } from "../callbacks/queries.ts";
import { partContext } from "../connections/secrets.ts";
import { passwordContext } from "../databases/queries.ts";
import { type IdKind, idOf } from "../ids.ts";
import { totpContext } from "../members/totp.ts";
import { payloadContext } from "../operation/payload.ts";
import { openFor, sealFor } from "../operation/seal.ts";
import type { Several } from "../platform.ts";
import { secretContext } from "../webhooks/secrets.ts";
import { headersContext } from "../webhooks/settings/headers.ts";
import { withDatabase } from "./with-database.ts";

type Row = Record<string, string | number>;

/** A column of sealed values: what its rows are known by, and what each value is sealed for. */
interface SealedColumn {
  table: string;
  column: string;
  key: readonly string[];
  /** Columns that the context needs beside the key. */
  beside?: readonly string[];
  /** Which of the table's rows are sealed at all. */
  where?: string;
  context(row: Row): string;
}

const BATCH = 200;
const STRICT = "privacy_tier = 'strict'";

const id = (kind: IdKind, value: unknown) => idOf(kind, String(value));
const ownerOf = (kind: IdKind, row: Row) => ({
  accountId: id("account", row.account_id),
  id: id(kind, row.id),
});

const totp = (column: string): SealedColumn => ({
  table: "users",
  column,
  key: ["id"],
  context: (row) => totpContext(id("user", row.id)),
});

const webhookSecret = (column: string): SealedColumn => ({
  table: "webhooks",
  column,
  key: ["account_id", "id"],
  context: (row) => secretContext(ownerOf("webhook", row)),
});

const connectionPart = (column: "secret" | "token"): SealedColumn => ({
  table: "connections",
  column,
  key: ["account_id", "id"],
  beside: ["secret_version"],
  context: (row) =>
    partContext(column, { ...ownerOf("connection", row), secretVersion: Number(row.secret_version) }),
});

const runPayload = (column: "input" | "result"): SealedColumn => ({
  table: "runs",
  column,
  key: ["account_id", "id"],
  where: STRICT,
  context: (row) => payloadContext(id("run", row.id), column),
});

const SEALED: readonly SealedColumn[] = [
  totp("totp_secret"),
  totp("totp_pending"),
  webhookSecret("secret"),
  webhookSecret("previous_secret"),
  {
    table: "webhooks",
    column: "headers",
    key: ["account_id", "id"],
    context: (row) => headersContext(ownerOf("webhook", row)),
  },
  connectionPart("secret"),
  connectionPart("token"),
  {
    table: "tenant_databases",
    column: "password",
    key: ["account_id"],
    beside: ["name"],
    context: (row) => passwordContext(id("account", row.account_id), String(row.name)),
  },
  {
    table: "approvals",
    column: "sealed_payload",
    key: ["account_id", "id"],
    context: (row) => payloadContext(id("approval", row.id), "payload"),
  },
  runPayload("input"),
  runPayload("result"),
  {
    table: "run_steps",
    column: "output",
    key: ["account_id", "run_id", "name"],
    where: `exists (select from runs r where r.account_id = t.account_id and r.id = t.run_id and r.${STRICT})`,
    context: (row) => payloadContext(id("run", row.run_id), String(row.name)),
  },
  {
    table: "callbacks",
    column: "answer",
    key: ["account_id", "run_id", "step", "attempt"],
    where: `exists (select from runs r where r.account_id = t.account_id and r.id = t.run_id and r.${STRICT})`,
    context: (row) => payloadContext(id("run", row.run_id), answerName(String(row.step))),
  },
  {
    table: "sent_events",
    column: "data",
    key: ["account_id", "id"],
    where: STRICT,
    context: (row) => payloadContext(id("sentEvent", row.id), "data"),
  },
];

interface Counts {
  resealed: number;
  /** Values that none of the keys opens. */
  closed: number;
}

/** Seals the values of a column under the first key; a value that changes meanwhile was sealed with it already. */
async function reseal(sql: postgres.Sql, keys: Several<Uint8Array>, sealed: SealedColumn): Promise<Counts> {
  const { table, column, key, beside = [], where = "true", context } = sealed;
  const counts: Counts = { resealed: 0, closed: 0 };
  const keyed = `(${key.map((name) => `t.${name}`).join(", ")})`;
  for (let after: unknown[] | null = null; ; ) {
    const later = after ? `${keyed} > (${key.map((_, place) => `$${place + 1}`).join(", ")})` : "true";
    const rows: Row[] = await sql.unsafe(
      `select ${[...key, ...beside, column].map((name) => `t.${name}`).join(", ")} from ${table} t
       where t.${column} is not null and ${where} and ${later} order by ${keyed} limit ${BATCH}`,
      (after ?? []) as string[],
    );
    for (const row of rows) {
      const stored = row[column] as unknown as Uint8Array;
      const [newest, ...older] = keys;
      if (openFor(newest, context(row), stored)) continue;
      const plain = openFor(older, context(row), stored);
      if (!plain) {
        counts.closed++;
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

// Moves what is sealed under older entries of SEALING_KEY to its first, while the platform runs; may be repeated.
await withDatabase(async ({ client }, { sealingKeys }) => {
  for (const sealed of SEALED) {
    const { resealed, closed } = await reseal(client, sealingKeys, sealed);
    const what = `${sealed.table}.${sealed.column}`;
    if (resealed > 0) console.log(`${what}: ${resealed} sealed anew.`);
    if (closed > 0) {
      console.error(`${what}: ${closed} can't be opened by any key of SEALING_KEY.`);
      process.exitCode = 1;
    }
  }
}).catch((reason) => {
  console.error(reason);
  process.exitCode = 1;
});
