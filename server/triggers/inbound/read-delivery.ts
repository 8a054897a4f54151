import { createHash } from "node:crypto";
import { isWrittenNumber } from "#server/operation/exact-numbers.ts";
import { isFields } from "#server/operation/input.ts";
import { JSON_LIMITS, parseAnswered } from "#server/operation/json-text.ts";
import { storable } from "#server/operation/storable.ts";
import type { SchemeName } from "./schema.ts";

type Headers = Readonly<Record<string, string | undefined>>;

/** A delivery in the form that runs read. */
export interface Delivery {
  /** The provider's name of the event. */
  name: string;
  headers: Record<string, string>;
  data: unknown;
  /** The same for every resend. */
  reference: string;
}

/** How to read a provider's id and name of an event from a delivery. */
interface MetadataReader {
  id?(headers: Headers, data: unknown): unknown;
  name?(headers: Headers, data: unknown): unknown;
}

const fieldOf = (data: unknown, name: string): unknown => (isFields(data) ? data[name] : undefined);

const METADATA: Record<SchemeName, MetadataReader> = {
  standard: { id: (headers) => headers["webhook-id"] ?? headers["svix-id"] },
  stripe: { id: (_, data) => fieldOf(data, "id"), name: (_, data) => fieldOf(data, "type") },
  github: { id: (headers) => headers["x-github-delivery"], name: (headers) => headers["x-github-event"] },
  slack: {
    id: (_, data) => fieldOf(data, "event_id"),
    name: (_, data) => fieldOf(fieldOf(data, "event"), "type"),
  },
  shopify: {
    id: (headers) =>
      headers["shopify-webhook-id"] ?? headers["x-shopify-webhook-id"] ?? headers["x-shopify-event-id"],
    name: (headers) => headers["shopify-topic"] ?? headers["x-shopify-topic"],
  },
  hmac_sha256: {},
  none: {},
};

/** Returns the immediate response to a provider's test request; null for a delivery. */
export function greetingOf(scheme: SchemeName, headers: Headers, data: unknown) {
  if (scheme === "github" && headers["x-github-event"] === "ping") return { status: 202, body: { ok: true } };
  const challenge = fieldOf(data, "challenge");
  if (scheme === "slack" && fieldOf(data, "type") === "url_verification" && typeof challenge === "string")
    return { status: 200, body: { challenge } };
  return null;
}

/** Parses a provider's delivery. */
export function readDelivery(
  scheme: SchemeName,
  { headers, bytes, headerName }: { headers: Headers; bytes: Uint8Array; headerName: string | null },
): Delivery {
  const read = METADATA[scheme];
  const data = dataOf(headers["content-type"] ?? "", bytes);
  const hash = createHash("sha256");
  const id = read.id?.(headers, data);
  const hasId = typeof id === "string" && id !== "";
  const name = read.name?.(headers, data);
  return {
    name: (typeof name === "string" && storable(name)) || "webhook",
    headers: shownHeaders(headers, headerName),
    data,
    reference: (hasId ? hash.update("id:").update(id) : hash.update("body:").update(bytes)).digest("hex"),
  };
}

function dataOf(contentType: string, bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  const [type = ""] = contentType.toLowerCase().split(";");
  if (text === "") return null;
  if (/[/+]json\s*$/.test(type)) return storableData(parseAnswered(text) ?? text);
  if (type.trim() === "application/x-www-form-urlencoded") return storableData(fieldsOf(text) ?? text);
  return storableText(text);
}

/** Returns the fields of a form, a repeated one as a list; null if they are more than an object may have. */
function fieldsOf(text: string): Record<string, unknown> | null {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = values.get(name);
    if (before) before.push(value);
    else values.set(name, [value]);
    if (values.size > JSON_LIMITS.maximumFields) return null;
  }
  return Object.fromEntries([...values].map(([name, list]) => [name, list.length > 1 ? list : list[0]]));
}

/**
 * Returns the data in a form that can be stored and given to a run: numbers that a double cannot hold become text, and
 * invalid characters U+FFFD. The provider cannot be asked to send something else.
 */
function storableData(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (isWrittenNumber(value)) return value.rawJSON;
  if (Array.isArray(value)) return value.map(storableData);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [storableText(name), storableData(inner)]),
  );
}

const storableText = (text: string): string => text.replaceAll("\u0000", "\uFFFD").toWellFormed();

/** Headers of the connection, and headers that may hold a secret. */
const HIDDEN =
  /^(connection|content-length|cookie2?|expect|forwarded|host|keep-alive|te|trailer|transfer-encoding|upgrade|via|x-real-ip)$|^(proxy|sec|x-forwarded)-|authorization|cookie|hmac|password|secret|signature|token|api-?key/;
const MAX_HEADERS = 50;
const LONGEST_VALUE = 2000;

function shownHeaders(headers: Headers, headerName: string | null): Record<string, string> {
  const shown = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || HIDDEN.test(name) || name === headerName
      ? []
      : [[name, storable(value, LONGEST_VALUE)]],
  );
  return Object.fromEntries(shown.slice(0, MAX_HEADERS));
}
