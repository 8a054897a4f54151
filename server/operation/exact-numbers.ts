import { randomBytes } from "node:crypto";
import { defined } from "#server/base/defined.ts";
import type { Issue } from "./errors.ts";

const MAX_ISSUES = 100;

// The standard library's types lack these functions.
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is { rawJSON: string };
};

/** True if the value is a number that `parseExactly` kept in its written form. */
export { isRawJSON as isWrittenNumber };

/** True if JavaScript would serialise this JSON number differently from how it is written. */
export function hasOtherForm(number: string): boolean {
  return String(Number(number)) !== number;
}

/**
 * Parses JSON. Numbers that JavaScript would serialise differently keep their written form when serialised
 * again.
 */
export function parseExactly(text: string): unknown {
  const keep = (_: string, value: unknown, { source }: { source?: string }) =>
    typeof value === "number" && source !== undefined && hasOtherForm(source) ? rawJSON(source) : value;
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown);
}

/** Returns the number that a text spells; null if it spells none, or if a double would lose digits. */
export function exactNumber(text: string): number | null {
  const isNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
  return isNumber && faultOf(text, Number(text)) === null ? Number(text) : null;
}

/** True if converting this JSON number to a double changes its value. */
export function losesDigits(number: string): boolean {
  return faultOf(number, Number(number)) !== null;
}

/**
 * Parses JSON whose inexact numbers stand at known `places` (start and end, alternately). Replaces them with
 * unguessable strings while parsing, since a reviver costs ten times as much as the parse.
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
 * Returns the value with written numbers converted to JavaScript numbers; changes lists and objects in place.
 * A number whose value would change is reported as a fault. Skips fields with the given names at every level.
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

/** Returns the significant digits (first to last non-zero) and the power of ten of the last one. */
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
