import { OPERATIONS } from "../../typescript/src/generated/operations.ts";
import type { Command } from "./command.ts";
import { COMMANDS } from "./generated/commands.ts";

/** `apiKeys` → `api-keys`. */
export const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The words of each operation's command. */
export const WORDS: ReadonlyMap<string, string> = new Map(
  Object.keys(COMMANDS).map((id) => [id.split(".").map(kebab).join(" "), id]),
);

/** Returns the words of the table's names: `keys` is short for `api-keys`. */
function spelled([first = "", ...rest]: readonly string[]): string[] {
  return [first === "keys" ? "api-keys" : kebab(first), ...rest.map(kebab)];
}

/** Returns the operation that the first words name, and the number of those words; undefined if they name none. */
export function findOperation(words: readonly string[]): { id: string; length: number } | undefined {
  for (let length = words.length; length > 0; length -= 1) {
    const id = WORDS.get(spelled(words.slice(0, length)).join(" "));
    if (id) return { id, length };
  }
  return undefined;
}

/** Returns the commands that begin with these words. */
export function commandsBelow(words: readonly string[]): [words: string, id: string][] {
  const prefix = `${spelled(words).join(" ")} `;
  return [...WORDS].filter(([command]) => command.startsWith(prefix));
}

/** An operation with all parameters of its command. */
export interface Signature {
  id: string;
  command: Command;
  /** The path's parameters, in order. */
  ids: string[];
  /** Whether it reads or writes a file, named after the ids. */
  file: "source" | "target" | null;
  /** True if it takes a JSON body; for `pages`, if it takes a cursor. */
  body: boolean;
  pages: boolean;
  stream: boolean;
  idempotent: boolean;
}

/** Returns the parameters of an operation's command. */
export function signatureOf(id: string): Signature {
  const operation = OPERATIONS[id];
  const command = COMMANDS[id];
  if (!operation || !command) throw new Error(`No operation ${id}.`);
  const { path, upload, download, body, pages, stream, idempotent, method } = operation;
  const headers = upload ? [...Object.keys(upload), ...(method === "POST" ? ["contentType"] : [])] : [];
  const fields = {
    ...Object.fromEntries(headers.map((name) => [name, { kind: "text" }])),
    ...command.fields,
  };
  return {
    id,
    command: { ...command, fields },
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
    file: upload ? "source" : download ? "target" : null,
    body: body === true,
    pages: pages === true,
    stream: stream === true,
    idempotent: idempotent === true,
  };
}
