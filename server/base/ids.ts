import { V7Generator } from "uuidv7";
import { fromTypeId, toTypeId } from "#db/typeid.ts";
import { currentMs } from "./clock.ts";

/** The prefix of each kind of resource's ids. */
export const ID_PREFIXES = {
  account: "acct",
  user: "usr",
  member: "mbr",
  session: "ses",
  invitation: "inv",
  passwordReset: "pwr",
  apiKey: "key",
  creditToken: "ct",
  project: "proj",
  endUser: "eusr",
  auditEvent: "evt",
  file: "file",
  connection: "conn",
  transfer: "xfer",
  wallet: "wal",
  contact: "ctc",
  transaction: "tx",
  signature: "sig",
  quote: "quo",
  order: "ord",
  swap: "swap",
  route: "route",
  run: "run",
  artifact: "art",
  approval: "appr",
  webhook: "wh",
  delivery: "del",
  webhookEvent: "whe",
  receipt: "rcpt",
  request: "req",
  memory: "mem",
  workflow: "wf",
  workflowVersion: "wfv",
  trigger: "trg",
  sentEvent: "sev",
  app: "app",
  appRequest: "areq",
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** Returns the readable name of a kind of resource: `apiKey` → `API key`. */
export function nameOf(kind: IdKind): string {
  return kind.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^api /, "API ");
}

/** Returns a new time-ordered id in its public form: `proj_01j…`. */
export function newId(kind: IdKind): string {
  return toTypeId(ID_PREFIXES[kind], newUuid());
}

/** Returns the UUID inside an id of this kind; null for another kind or a malformed id. */
export function uuidOf(kind: IdKind, id: string): string | null {
  return fromTypeId(ID_PREFIXES[kind], id);
}

/** Returns the UUID inside an id of our own; `uuidOf` is for ids that a caller sent. */
export function toUuid(kind: IdKind, id: string): string {
  const uuid = uuidOf(kind, id);
  if (uuid === null) throw new TypeError(`${id} is no id of a ${nameOf(kind)}.`);
  return uuid;
}

/** Returns the public id of this kind for a UUID from the database. */
export function idOf(kind: IdKind, uuid: string): string {
  return toTypeId(ID_PREFIXES[kind], uuid);
}

/** Returns the first and last id of this kind that begin with a text; null for a text that begins none. */
export function idsBeginning(kind: IdKind, text: string): { first: string; last: string } | null {
  const prefix = `${ID_PREFIXES[kind]}_`;
  const begun = text.toLowerCase();
  if (!begun.startsWith(prefix) || !/^[0-7][0-9a-hjkmnp-tv-z]{0,25}$/.test(begun.slice(prefix.length)))
    return null;
  const length = prefix.length + 26;
  return { first: begun.padEnd(length, "0"), last: begun.padEnd(length, "z") };
}

/** The UUID that no resource has. */
export const NIL_UUID = "00000000-0000-0000-0000-000000000000";

const generator = new V7Generator();

/** Returns a new UUID, ordered by the database's clock: those of processes whose clocks differ are in one order. */
export const newUuid = (): string => generator.generateOrResetWithTs(currentMs()).toString();

/** Returns the time inside a time-ordered UUID. */
export function timeOf(uuid: string): Date {
  return new Date(Number.parseInt(uuid.replaceAll("-", "").slice(0, 12), 16));
}

/** Returns a new UUID with the time `at`; its other bits are random. */
export function newUuidAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}${newUuid().slice(13)}`;
}

/** Returns `size` random bytes. */
export const random = (size: number): Uint8Array => crypto.getRandomValues(new Uint8Array(size));
