import { redact } from "#server/log.ts";

/** Characters that show nothing or turn the direction of text: what a person judges must not be bent by them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2800]/gu;
const SECRET_NAME = /secret|password|passphrase|token|credential|private_?key|api_?key|authorization/i;
const MOST = 300;

/** A text of a customer's as a sentence quotes it: in quotation marks, bounded, with nothing invisible in it. */
export function quoted(text: string): string {
  const short = [...text].length > 100 ? `${[...text].slice(0, 99).join("")}…` : text;
  return escaped(JSON.stringify(short));
}

/** A value of a customer's as a sentence shows it: bounded, without secrets, with nothing invisible in it. */
export function abridged(value: unknown): string {
  const text = escaped(redact(JSON.stringify(value, masked) ?? "nothing"));
  return text.length > MOST ? `${text.slice(0, MOST - 1).toWellFormed()}…` : text;
}

/** A whole text as a person reads it: its lines stay, and what else is invisible is shown. */
export function unbent(text: string): string {
  return text.split("\n").map(escaped).join("\n");
}

function escaped(text: string): string {
  return text.replace(INVISIBLE, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);
}

function masked(name: string, value: unknown): unknown {
  if (SECRET_NAME.test(name) && value !== null) return "[hidden]";
  return typeof value === "string" && value.length > 100 ? `${value.slice(0, 99).toWellFormed()}…` : value;
}
