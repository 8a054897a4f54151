import type { Issue } from "./errors.ts";
import { hasOtherForm } from "./exact-numbers.ts";

const MAX_ISSUES = 50;
const MAX_PATH = 64;

/** Where an object or a list of the text stands, and the names that the object has so far. */
interface Open {
  names: Set<string> | null;
  at: string | number;
}

/** What `JSON.parse` hides in a text that it takes. */
export interface Hidden {
  /** Names that an object has twice: of these it drops the first. */
  issues: Issue[];
  /** Whether there are numbers that JavaScript writes in other characters: it may have rounded them. */
  otherNumbers: boolean;
  /** How deeply it is nested. */
  depth: number;
}

export function findHidden(text: string): Hidden {
  const issues: Issue[] = [];
  let otherNumbers = false;
  let depth = 0;
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
      depth = Math.max(depth, open.length);
    } else if (character === "}" || character === "]") {
      open.pop();
      awaitsName = false;
    } else if (character === ",") {
      const inner = open.at(-1);
      if (typeof inner?.at === "number") inner.at += 1;
      awaitsName = inner?.names != null;
    } else if (character === "-" || isDigit(character)) {
      const end = endOfNumber(text, index);
      otherNumbers ||= hasOtherForm(text.slice(index, end));
      index = end - 1;
    }
  }
  return { issues, otherNumbers, depth };
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

function pathOf(open: readonly Open[]): string {
  return ["body", ...open.slice(0, MAX_PATH).map((part) => part.at)].join(".");
}
