import type { StoredType } from "#db/schema/databases.ts";

export type PgType = StoredType;

const BOOL = 16;
const INTEGERS = new Set([21, 23, 26]);
const FLOATS = new Set([700, 701]);
const JSONS = new Set([114, 3802]);

/** A value of a row on the wire, from PostgreSQL's text (WIRE.md, "database"). */
export function decodeValue(type: PgType, text: string): unknown {
  if (type.oid === BOOL) return text === "t";
  if (INTEGERS.has(type.oid)) return Number(text);
  // NaN and the infinities have no JSON number.
  if (FLOATS.has(type.oid)) return Number.isFinite(Number(text)) ? Number(text) : text;
  if (JSONS.has(type.oid)) return parseExactly(text);
  return type.element ? decodeArray(type.element, type.delimiter, text) : text;
}

// Not in the standard library's types yet.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** Parses JSON whose numbers are written again with the digits that they had. */
export function parseExactly(text: string): unknown {
  const keepDigits = (_: string, value: unknown, { source }: { source?: string }) =>
    typeof value === "number" && source !== undefined && String(value) !== source ? rawJSON(source) : value;
  return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown);
}

/** Reads `{1,NULL,"a \"b\""}`, nested for each dimension; lower bounds other than one (`[0:1]={…}`) are left out. */
function decodeArray(element: PgType, delimiter: string, text: string): unknown[] {
  let at = text.indexOf("{");

  function readList(): unknown[] {
    const list: unknown[] = [];
    at += 1;
    while (text[at] !== "}") {
      list.push(text[at] === "{" ? readList() : readElement());
      if (text[at] === delimiter) at += 1;
    }
    at += 1;
    return list;
  }

  function readElement(): unknown {
    if (text[at] === '"') return decodeValue(element, readQuoted());
    const start = at;
    while (text[at] !== delimiter && text[at] !== "}") at += 1;
    const bare = text.slice(start, at);
    return bare === "NULL" ? null : decodeValue(element, bare);
  }

  function readQuoted(): string {
    let value = "";
    for (at += 1; text[at] !== '"'; at += 1) {
      if (text[at] === "\\") at += 1;
      value += text[at];
    }
    at += 1;
    return value;
  }

  return readList();
}

/** A parameter as PostgreSQL reads it, by the type that the statement gives it. Throws a `TypeError` for what has no such form. */
export function encodeValue(type: PgType, value: unknown): string | null {
  if (JSONS.has(type.oid)) return value === null ? null : JSON.stringify(value);
  if (value === null) return null;
  if (type.element && Array.isArray(value)) return encodeArray(type.element, type.delimiter, value);
  if (typeof value === "object") {
    const sent = Array.isArray(value) ? "a list" : "an object";
    throw new TypeError(`Is ${sent}, where the statement takes ${type.name}.`);
  }
  return String(value);
}

function encodeArray(element: PgType, delimiter: string, list: readonly unknown[]): string {
  const inner = list.map((value) => {
    if (Array.isArray(value) && !JSONS.has(element.oid)) return encodeArray(element, delimiter, value);
    const text = encodeValue(element, value);
    return text === null ? "NULL" : `"${text.replace(/["\\]/g, "\\$&")}"`;
  });
  return `{${inner.join(delimiter)}}`;
}
