import { redact } from "#server/base/log.ts";
import { DIRECTION } from "./fields.ts";

/** Invisible characters and those that change text direction; they could mislead a person who decides. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2800]/gu;
const TURNS = new RegExp(DIRECTION, "g");
const SECRET_NAME = /secret|password|passphrase|token|credential|private_?key|api_?key|authorization/i;
const MAX_CHARACTERS = 300;

/**
 * Returns a customer's text for quotation in a sentence: in quotation marks, shortened, without invisible
 * characters.
 */
export function quoted(text: string): string {
  const short = [...text].length > 100 ? `${[...text].slice(0, 99).join("")}…` : text;
  return escaped(JSON.stringify(short));
}

/**
 * Returns a customer's value for display in a sentence: shortened, without secrets or invisible characters.
 */
export function abridged(value: unknown): string {
  const text = escaped(redact(JSON.stringify(value, masked) ?? "nothing"));
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1).toWellFormed()}…` : text;
}

/** Returns a whole text for display: keeps its lines and makes other invisible characters visible. */
export function unbent(text: string): string {
  return text.split("\n").map(escaped).join("\n");
}

/**
 * Returns a whole text for display, with the characters that change its direction made visible: other invisible ones
 * belong to scripts and emoji.
 */
export const straightened = (text: string): string => text.replace(TURNS, codeOf);

function escaped(text: string): string {
  return text.replace(INVISIBLE, codeOf);
}

const codeOf = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;

function masked(name: string, value: unknown): unknown {
  if (SECRET_NAME.test(name) && value !== null) return "[hidden]";
  return typeof value === "string" && value.length > 100 ? `${value.slice(0, 99).toWellFormed()}…` : value;
}
