import type { Issue } from "./errors.ts";
import { hasOtherForm, losesDigits, parseWritten } from "./exact-numbers.ts";

/** Bounds on the content of a JSON text, beside its size in bytes. No valid input reaches them. */
export const JSON_LIMITS = { maximumValues: 200_000, maximumFields: 10_000, maximumDepth: 64 } as const;

const MAX_ISSUES = 50;
const MAX_PATH = 64;

const codeOf = (character: string) => character.charCodeAt(0);
const QUOTE = codeOf('"');
const BACKSLASH = codeOf("\\");
const COMMA = codeOf(",");
const MINUS = codeOf("-");
const EXPONENT = codeOf("e");
const OPEN_OBJECT = codeOf("{");
const CLOSE_OBJECT = codeOf("}");
const OPEN_LIST = codeOf("[");
const CLOSE_LIST = codeOf("]");

/** An object or list that is open at the current position, with the object's field names so far. */
interface Open {
  names: Set<string> | null;
  at: string | number;
}

/** Properties of a JSON text that `JSON.parse` hides, or that would make parsing too slow. */
export interface Scan {
  /** The bound that the text exceeds, and where. After that point only the end of the text was looked for. */
  excess: Issue | null;
  /**
   * True if every object and list is closed; determined only beyond a bound, since parsing detects it
   * otherwise.
   */
  closed: boolean;
  /** Fields that occur twice in an object; `JSON.parse` would drop the first. */
  issues: Issue[];
  /**
   * Start and end positions, alternately, of numbers that JavaScript would serialise differently, perhaps
   * rounded.
   */
  otherNumbers: number[];
}

/** Scans a text for these properties before it is parsed. */
export function scanJson(text: string, maximumDepth: number): Scan {
  const issues: Issue[] = [];
  const otherNumbers: number[] = [];
  const open: Open[] = [];
  let awaitsName = false;
  let values = 0;
  const exceeded = (excess: Issue, from: number): Scan => ({
    excess,
    closed: isClosed(text, from, open.length),
    issues,
    otherNumbers,
  });
  for (let index = 0; index < text.length && issues.length < MAX_ISSUES; index++) {
    const code = text.charCodeAt(index);
    const inner = open[open.length - 1];
    const start = index;
    if (code === COMMA) {
      if (typeof inner?.at === "number") inner.at += 1;
      awaitsName = inner?.names != null;
      continue;
    }
    if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      open.pop();
      awaitsName = false;
      continue;
    }
    if (code === QUOTE) {
      index = endOfString(text, index);
      if (awaitsName && inner?.names) {
        inner.at = nameAt(text, start, index);
        if (inner.names.has(inner.at)) issues.push({ path: pathOf(open), message: "Sent more than once." });
        inner.names.add(inner.at);
        if (inner.names.size > JSON_LIMITS.maximumFields) return exceeded(tooManyFields(open), index + 1);
        awaitsName = false;
        continue;
      }
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      if (open.length === maximumDepth) return exceeded(tooDeep(pathOf(open), maximumDepth), start);
    } else if (code === MINUS || isDigit(code)) {
      index = endOfNumber(text, index) - 1;
      if (hasOtherForm(text.slice(start, index + 1))) otherNumbers.push(start, index + 1);
    } else if (isLetter(code)) {
      while (isLetter(text.charCodeAt(index + 1))) index += 1;
    } else {
      continue;
    }
    values += 1;
    if (values > JSON_LIMITS.maximumValues) return exceeded(tooManyValues(open), start);
    awaitsName = code === OPEN_OBJECT;
    if (code === OPEN_OBJECT) open.push({ names: new Set(), at: "" });
    else if (code === OPEN_LIST) open.push({ names: null, at: 0 });
  }
  return { excess: null, closed: true, issues, otherNumbers };
}

function tooManyFields(open: readonly Open[]): Issue {
  const { maximumFields } = JSON_LIMITS;
  const path = pathOf(open.slice(0, -1));
  return { path, message: `Has more than ${maximumFields} fields, the most of one object. Send fewer.` };
}

function tooManyValues(open: readonly Open[]): Issue {
  const { maximumValues } = JSON_LIMITS;
  const message = `Here the body passes ${maximumValues} values, the most of one body. Send them in several calls.`;
  return { path: pathOf(open), message };
}

export function tooDeep(path: string, maximumDepth: number): Issue {
  return { path, message: `Nested deeper than ${maximumDepth} levels. Send it flatter, or as text.` };
}

/** A double represents every number of fewer characters than this exactly, unless it has an exponent. */
const LONG_NUMBER = 16;

/**
 * Parses JSON, keeping the written form of numbers that would lose digits in a double. `Value` is for text that the
 * platform itself has written.
 */
export function parseKeepingDigits<Value = unknown>(text: string): Value {
  const places: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index);
    } else if (isDigit(code) || code === MINUS) {
      const end = endOfNumber(text, index);
      const number =
        end - index < LONG_NUMBER && !hasExponent(text, index, end) ? "" : text.slice(index, end);
      if (number !== "" && losesDigits(number)) places.push(index, end);
      index = end - 1;
    }
  }
  const value = JSON.parse(text);
  return places.length > 0 ? (parseWritten(text, places) as Value) : value;
}

/**
 * Parses a JSON response of another system, keeping all digits of its numbers. Returns undefined if it is not
 * JSON or nested deeper than a request body may be, since serialising it again recurses once per level.
 */
export function parseAnswered(text: string): unknown {
  try {
    return isDeeper(text, JSON_LIMITS.maximumDepth) ? undefined : parseKeepingDigits(text);
  } catch {
    return undefined;
  }
}

/** True if objects and lists are nested deeper than `levels`. */
export function isDeeper(text: string, levels: number): boolean {
  let level = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) level -= 1;
    else if (code === OPEN_OBJECT || code === OPEN_LIST) level += 1;
    if (level > levels) return true;
  }
  return false;
}

/** True if everything open at `start` or opened later is closed. */
function isClosed(text: string, start: number, level: number): boolean {
  let left = level;
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === OPEN_OBJECT || code === OPEN_LIST) left += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) left -= 1;
  }
  return left === 0;
}

const isDigit = (code: number) => code >= 48 && code <= 57;
const isLetter = (code: number) => code >= 97 && code <= 122;

/**
 * Returns the index of the closing quote of the string that begins at `start`; a backslash escapes the next character.
 */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

function nameAt(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end);
  return name.includes("\\") ? unescaped(name) : name;
}

/** Returns the field name without escapes. Malformed strings are reported by the parse of the whole text. */
function unescaped(name: string): string {
  try {
    return JSON.parse(`"${name}"`);
  } catch {
    return name;
  }
}

function hasExponent(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if ((text.charCodeAt(index) | 32) === EXPONENT) return true;
  return false;
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && (isDigit(text.charCodeAt(end)) || ".eE+-".includes(text.charAt(end)))) end += 1;
  return end;
}

function pathOf(open: readonly Open[]): string {
  return ["body", ...open.slice(0, MAX_PATH).map((part) => part.at)].join(".");
}
