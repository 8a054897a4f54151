import { type IdKind, idOf } from "../base/ids.ts";
import { answerName } from "../callbacks/queries.ts";
import { partContext } from "../connections/secrets.ts";
import { passwordContext } from "../databases/queries.ts";
import { totpContext } from "../members/totp.ts";
import { payloadContext } from "../operation/payload.ts";
import { inboundContext } from "../triggers/inbound/secrets.ts";
import { secretContext } from "../webhooks/secrets.ts";
import { headersContext } from "../webhooks/settings/headers.ts";

export type Row = Record<string, unknown>;

/** A column of sealed values: the key of its rows, and the context of each value's seal. */
export interface SealedColumn {
  table: string;
  column: string;
  key: readonly string[];
  /** Columns that the context needs beside the key. */
  beside?: readonly string[];
  /** Selects the rows of the table that are sealed. */
  where?: string;
  context(row: Row): string;
}

/** Returns the sealed value of a row; throws if the column has none. */
export function sealedValue(row: Row, { table, column }: SealedColumn): Uint8Array {
  const value = row[column];
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`${table}.${column} is no sealed value.`);
}

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

const inboundPart = (column: "secret" | "token"): SealedColumn => ({
  table: "inbound_webhooks",
  column,
  key: ["account_id", "trigger_id"],
  context: (row) =>
    inboundContext(column, {
      accountId: id("account", row.account_id),
      triggerId: id("trigger", row.trigger_id),
    }),
});

const eventPayload = (column: "data" | "headers"): SealedColumn => ({
  table: "sent_events",
  column,
  key: ["account_id", "id"],
  where: STRICT,
  context: (row) => payloadContext(id("sentEvent", row.id), column),
});

const runPayload = (column: "input" | "result"): SealedColumn => ({
  table: "runs",
  column,
  key: ["account_id", "id"],
  where: STRICT,
  context: (row) => payloadContext(id("run", row.id), column),
});

/** Every column of values that are sealed under SEALING_KEY and kept longer than idempotency records. */
export const SEALED: readonly SealedColumn[] = [
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
  inboundPart("secret"),
  inboundPart("token"),
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
  eventPayload("data"),
  eventPayload("headers"),
];
