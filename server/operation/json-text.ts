import type { Issue } from "./errors.ts";
import { hasOtherForm, losesDigits, parseWritten } from "./exact-numbers.ts";

/** What a JSON text may hold beside its bytes. No input of the contract reaches it. */
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

/** Where an object or a list of the text stands, and the names that the object has so far. */
interface Open {
  names: Set<string> | null;
  at: string | number;
}

/** What `JSON.parse` hides in a text that it takes, or would take too long for. */
export interface Scan {
  /** Which bound the text passes, and where; the rest of it was only looked through for its end. */
  excess: Issue | null;
  /** Whether all that is opened is closed; looked for only beyond a bound, since parsing finds it otherwise. */
  closed: boolean;
  /** Names that an object has twice: of these it drops the first. */
  issues: Issue[];
  /** Start and end, in turn, of numbers that JavaScript writes in other characters: it may have rounded them. */
  otherNumbers: number[];
}

/** Looks through a text that may be JSON, before it is parsed. */
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

/** Below this, without an exponent, a double holds every digit. */
const LONG_NUMBER = 16;

/** Parses JSON; a number that would lose digits in a double is kept as it was written. */
export function parseKeepingDigits(text: string): unknown {
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
  return places.length > 0 ? parseWritten(text, places) : value;
}

/**
 * The JSON that a peer has answered, its numbers with all their digits. Undefined where it is none, and where it is
 * nested deeper than a body may be: it is written again by functions that call themselves for each level.
 */
export function parseAnswered(text: string): unknown {
  try {
    return isDeeper(text, JSON_LIMITS.maximumDepth) ? undefined : parseKeepingDigits(text);
  } catch {
    return undefined;
  }
}

/** Whether JSON has more objects and lists within each other than that. */
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

/** Whether what is open at `start`, and all that is opened after it, is closed. */
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

/** The index of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
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

/** What is no string is judged when the whole text is parsed. */
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
