import type { Issue } from "./errors.ts";

const MAX_ISSUES = 50;
const MAX_PATH = 64;

/** Where an object or a list of the text stands, and the names that the object has so far. */
interface Open {
  names: Set<string> | null;
  at: string | number;
}

/**
 * What `JSON.parse` hides in a text that it takes: a name that an object has twice, of which it drops the first, and
 * integers with more digits than a double keeps, which it rounds.
 */
export function hiddenFaults(text: string): Issue[] {
  const issues: Issue[] = [];
  const open: Open[] = [];
  let awaitsName = false;
  for (let index = 0; index < text.length && issues.length < MAX_ISSUES; index++) {
    const character = text.charAt(index);
    if (character === '"') {
      const end = endOfString(text, index);
      const inner = open.at(-1);
      if (awaitsName && inner?.names) {
        inner.at = nameAt(text, index, end);
        if (inner.names.has(inner.at)) issues.push({ path: pathOf(open), message: "Sent more than once." });
        inner.names.add(inner.at);
        awaitsName = false;
      }
      index = end;
    } else if (character === "{" || character === "[") {
      open.push(character === "{" ? { names: new Set(), at: "" } : { names: null, at: 0 });
      awaitsName = character === "{";
    } else if (character === "}" || character === "]") {
      open.pop();
      awaitsName = false;
    } else if (character === ",") {
      const inner = open.at(-1);
      if (typeof inner?.at === "number") inner.at += 1;
      awaitsName = inner?.names != null;
    } else if (character === "-" || isDigit(character)) {
      const end = endOfNumber(text, index);
      const number = text.slice(index, end);
      if (isRounded(number)) {
        issues.push({
          path: pathOf(open),
          message: `${shorten(number)} has more digits than a JSON number keeps. Send it as a string.`,
        });
      }
      index = end - 1;
    }
  }
  return issues;
}

const isDigit = (character: string) => character >= "0" && character <= "9";

/** The index of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = start + 1; end < text.length; end++) {
    if (text[end] === "\\") end += 1;
    else if (text[end] === '"') return end;
  }
  return text.length;
}

function nameAt(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end);
  return name.includes("\\") ? JSON.parse(text.slice(start, end + 1)) : name;
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && (isDigit(text.charAt(end)) || ".eE+-".includes(text.charAt(end)))) end += 1;
  return end;
}

/** A large integer is taken in the form that JavaScript itself writes, so that what was answered can be sent back. */
function isRounded(number: string): boolean {
  return /^-?\d{16,}$/.test(number) && String(Number(number)) !== number;
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}…` : text;
}

function pathOf(open: readonly Open[]): string {
  return ["body", ...open.slice(0, MAX_PATH).map((part) => part.at)].join(".");
}
