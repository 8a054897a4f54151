import { OPERATIONS } from "../../typescript/src/generated/operations.ts";
import { COMMANDS } from "./generated/commands.ts";

/** How a field of an operation is written on the command line. */
export interface Field {
  /** `texts` may be said more than once; `json` is JSON, or the file that `@` names. */
  readonly kind: string;
  readonly required?: boolean;
  readonly nullable?: boolean;
  readonly choices?: readonly unknown[];
  readonly about?: string;
}

/** What the generated table says of an operation's command. */
export interface Command {
  readonly summary: string;
  readonly scope?: string;
  /** Whether it needs no credential. */
  readonly public?: boolean;
  readonly destructive?: boolean;
  readonly fields: Readonly<Record<string, Field>>;
}

/** `apiKeys` → `api-keys`. */
export const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The words of each operation's command. */
export const WORDS: ReadonlyMap<string, string> = new Map(
  Object.keys(COMMANDS).map((id) => [id.split(".").map(kebab).join(" "), id]),
);

/** The words as the table has them: `keys` is short for `api-keys`. */
function spelled([first = "", ...rest]: readonly string[]): string[] {
  return [first === "keys" ? "api-keys" : kebab(first), ...rest.map(kebab)];
}

/** The operation that the first words name, and how many words that takes; undefined where none does. */
export function findOperation(words: readonly string[]): { id: string; length: number } | undefined {
  for (let length = words.length; length > 0; length -= 1) {
    const id = WORDS.get(spelled(words.slice(0, length)).join(" "));
    if (id) return { id, length };
  }
  return undefined;
}

/** The commands whose words begin with these. */
export function commandsBelow(words: readonly string[]): [words: string, id: string][] {
  const prefix = `${spelled(words).join(" ")} `;
  return [...WORDS].filter(([command]) => command.startsWith(prefix));
}

/** An operation with everything that its command takes. */
export interface Signature {
  id: string;
  command: Command;
  /** The ids of its path, in order. */
  ids: string[];
  /** Whether it takes a file after them, or writes one. */
  file: "source" | "target" | null;
  /** Whether it takes a JSON body, and a page's cursor. */
  body: boolean;
  pages: boolean;
  stream: boolean;
  idempotent: boolean;
}

/** What the command of an operation takes. */
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
