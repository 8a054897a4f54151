import { defined } from "#server/base/defined.ts";
import { collectText, type Replacement, replaceCharacters } from "#server/base/long-text.ts";
import { isWrittenNumber } from "#server/operation/exact-numbers.ts";
import { endOfString } from "#server/operation/json-text.ts";
import type { PgType } from "#server/providers/tenants/types.ts";

const BOOL = 16;
const INTEGERS = new Set([21, 23, 26]);
const FLOATS = new Set([700, 701]);
const JSONS = new Set([114, 3802]);

/** Returns a value as JSON, from PostgreSQL's text. */
function toJson(type: PgType, text: string): string {
  if (INTEGERS.has(type.oid)) return text;
  if (type.oid === BOOL) return text === "t" ? "true" : "false";
  // JSON has no number for NaN and the infinities.
  if (FLOATS.has(type.oid)) return /[yN]$/.test(text) ? `"${text}"` : text;
  if (JSONS.has(type.oid)) return compact(text);
  return type.element ? arrayToJson(type.element, type.delimiter, text) : quoted(text);
}

/** Returns text as a JSON string; most text needs no escapes, which is quicker to test than to escape. */
function quoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them.
  return /["\\\u0000-\u001f]/.test(text) ? JSON.stringify(text) : `"${text}"`;
}

const QUOTE = '"'.charCodeAt(0);
const SPACE = " ".charCodeAt(0);

/** Returns JSON without white space between its parts; digits and keys stay as they are. */
function compact(json: string): string {
  const parts = collectText();
  let start = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code <= SPACE) {
      if (at > start) parts.add(json.slice(start, at));
      start = at + 1;
    }
  }
  if (start === 0) return json;
  parts.add(json.slice(start));
  return parts.end();
}

/** Parses `{1,NULL,"a \"b\""}`, nested for each dimension; lower bounds other than one (`[0:1]={…}`) are dropped. */
function arrayToJson(element: PgType, delimiter: string, text: string): string {
  let at = text.indexOf("{");

  function readList(): string {
    const list = collectText(",");
    at += 1;
    while (text[at] !== "}") {
      list.add(text[at] === "{" ? readList() : readElement());
      if (text[at] === delimiter) at += 1;
    }
    at += 1;
    return `[${list.end()}]`;
  }

  function readElement(): string {
    if (text[at] === '"') return toJson(element, readQuoted());
    const start = at;
    while (text[at] !== delimiter && text[at] !== "}") at += 1;
    const bare = text.slice(start, at);
    return bare === "NULL" ? "null" : toJson(element, bare);
  }

  function readQuoted(): string {
    const end = endOfString(text, at);
    const inner = text.slice(at + 1, end);
    at = end + 1;
    return unescaped(inner);
  }

  return readList();
}

/** Returns the text of a quoted element: a backslash stands before each quote and backslash. */
function unescaped(text: string): string {
  let at = text.indexOf("\\");
  if (at === -1) return text;
  const parts = collectText();
  let start = 0;
  for (; at !== -1; at = text.indexOf("\\", at + 2)) {
    parts.add(text.slice(start, at));
    start = at + 1;
  }
  parts.add(text.slice(start));
  return parts.end();
}

/** True if values of this type are JSON, or arrays of it. */
export function holdsJson({ oid, element }: PgType): boolean {
  return JSONS.has(oid) || (element !== null && JSONS.has(element.oid));
}

interface TypedColumn {
  name: string;
  type: PgType;
}

type Writer = (cells: readonly (string | null)[]) => string;

/** Returns the function that writes rows as JSON lists in column order. */
export function listWriter(columns: readonly TypedColumn[]): Writer {
  return writer(
    columns,
    columns.map(() => ""),
    "[]",
  );
}

/** Returns the function that writes rows as JSON objects by column name. */
export function objectWriter(columns: readonly TypedColumn[]): Writer {
  return writer(
    columns,
    columns.map(({ name }) => `${JSON.stringify(name)}:`),
    "{}",
  );
}

// Plain loops: a response may have ten thousand rows.
function writer(columns: readonly TypedColumn[], keys: readonly string[], [open, close]: string): Writer {
  const types = columns.map(({ type }) => type);
  const starts = keys.map((key, place) => (place > 0 ? "," : "") + key);
  return (cells) => {
    let json = defined(open);
    for (let place = 0; place < types.length; place++) {
      const text = cells[place] ?? null;
      json += starts[place] + (text === null ? "null" : toJson(defined(types[place]), text));
    }
    return json + close;
  };
}

/**
 * Returns a parameter in PostgreSQL's text format for its type. Throws a `TypeError` for a value without such a form.
 */
export function encodeValue(type: PgType, value: unknown): string | null {
  if (JSONS.has(type.oid)) return value === null ? null : JSON.stringify(value);
  if (value === null) return null;
  if (type.element && Array.isArray(value)) return encodeArray(type.element, type.delimiter, value);
  if (isWrittenNumber(value)) return value.rawJSON;
  if (typeof value === "object") {
    const sent = Array.isArray(value) ? "a list" : "an object";
    throw new TypeError(`Is ${sent}, where the statement takes ${type.name}.`);
  }
  // `String(-0)` drops the sign.
  return Object.is(value, -0) ? "-0" : String(value);
}

const ELEMENT_ESCAPES: readonly Replacement[] = [
  [/\\/g, "\\\\"],
  [/"/g, '\\"'],
];

function encodeArray(element: PgType, delimiter: string, list: readonly unknown[]): string {
  const inner = list.map((value) => {
    if (Array.isArray(value) && !JSONS.has(element.oid)) return encodeArray(element, delimiter, value);
    const text = encodeValue(element, value);
    return text === null ? "NULL" : `"${replaceCharacters(text, ELEMENT_ESCAPES)}"`;
  });
  return `{${inner.join(delimiter)}}`;
}
