import { randomBytes } from "node:crypto";
import { defined } from "#server/defined.ts";
import type { Issue } from "./errors.ts";

const MAX_ISSUES = 100;

// Not in the standard library's types yet.
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is { rawJSON: string };
};

/** Whether it is a number that `parseExactly` kept as it was written. */
export { isRawJSON as isWrittenNumber };

/** Whether JavaScript would write this number of a JSON text in other characters. */
export function hasOtherForm(number: string): boolean {
  return String(Number(number)) !== number;
}

/** Parses JSON; a number that JavaScript would write in other characters is written again with those that it had. */
export function parseExactly(text: string): unknown {
  const keep = (_: string, value: unknown, { source }: { source?: string }) =>
    typeof value === "number" && source !== undefined && hasOtherForm(source) ? rawJSON(source) : value;
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown);
}

/** The number that a text is; null where it is none, and where it would lose digits. */
export function exactNumber(text: string): number | null {
  const isNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
  return isNumber && faultOf(text, Number(text)) === null ? Number(text) : null;
}

/** Whether JavaScript's number for this one of a JSON text is another number. */
export function losesDigits(number: string): boolean {
  return faultOf(number, Number(number)) !== null;
}

/**
 * Parses JSON of which is known where it has such numbers (start and end in turn): these stand in it as strings that
 * nobody else can know, since a reviver costs ten times as much as parsing.
 */
export function parseWritten(text: string, places: readonly number[]): unknown {
  const sign = randomBytes(12).toString("base64url");
  const parts: string[] = [];
  let done = 0;
  for (let nth = 0; nth < places.length; nth += 2) {
    const [start, end] = [defined(places[nth]), defined(places[nth + 1])];
    parts.push(text.slice(done, start), '"', sign, text.slice(start, end), '"');
    done = end;
  }
  parts.push(text.slice(done));
  const whole: Fields = { root: JSON.parse(parts.join("")) };
  restore(whole, sign);
  return whole.root;
}

type Fields = Record<string, unknown>;

function restore(fields: Fields, sign: string): void {
  for (const name of Object.keys(fields)) {
    const child = fields[name];
    if (typeof child === "object" && child !== null) restore(child as Fields, sign);
    else if (typeof child === "string" && child.startsWith(sign))
      fields[name] = rawJSON(child.slice(sign.length));
  }
}

/**
 * The value with JavaScript's numbers in place of written ones; what is in a list or an object is replaced there. A
 * number that changes by that is a fault. Fields of these names are left as they are, wherever they stand.
 */
export function toNumbers(
  root: unknown,
  rootPath: string,
  issues: Issue[],
  except: readonly string[] = [],
): unknown {
  const whole: Fields = { root };
  const path = [rootPath];
  replaceIn(whole);
  return whole.root;

  function replaceIn(fields: Fields): void {
    for (const name of Object.keys(fields)) {
      if (issues.length >= MAX_ISSUES) return;
      const child = fields[name];
      if (typeof child !== "object" || child === null) continue;
      if (fields !== whole) path.push(name);
      if (isRawJSON(child)) fields[name] = toNumber(child.rawJSON, path, issues);
      else if (!except.includes(name)) replaceIn(child as Fields);
      if (fields !== whole) path.pop();
    }
  }
}

function toNumber(written: string, path: readonly string[], issues: Issue[]): number {
  const number = Number(written);
  const fault = faultOf(written, number);
  if (fault) issues.push({ path: path.join("."), message: fault });
  return number;
}

function faultOf(written: string, number: number): string | null {
  if (!Number.isFinite(number)) return "The number is beyond the range of a double.";
  if (isSame(written, String(number))) return null;
  return `${shorten(written)} has more digits than a number keeps. Send it as a string where the field takes one.`;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [digitsOf(one), digitsOf(other)];
  return a.digits === b.digits && (a.digits === "" || a.power === b.power);
}

/** The digits from the first to the last that is not zero, and the power of ten that the last of them stands for. */
function digitsOf(number: string) {
  const [mantissa = "", exponent = "0"] = number.replace(/^-/, "").toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = `${whole}${fraction}`.replace(/^0+/, "");
  let end = all.length;
  while (all[end - 1] === "0") end -= 1;
  return { digits: all.slice(0, end), power: Number(exponent) - fraction.length + all.length - end };
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}…` : text;
}
