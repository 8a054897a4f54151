import { defined } from "#server/base/defined.ts";
import { keysOf } from "#server/base/keys-of.ts";

export type Language = "json" | "sh" | "ts" | "py" | "text";

export interface Code {
  language: Language;
  text: string;
}

/** A part of a page. Texts may contain `code` in backticks and [links](address). */
export type Block =
  | { type: "heading"; text: string; id: string; level: 2 | 3 }
  | { type: "paragraph"; text: string }
  | { type: "list"; items: string[] }
  | ({ type: "code" } & Code)
  | { type: "samples"; samples: Code[] }
  | { type: "table"; columns: string[]; rows: string[][] }
  | { type: "beside"; blocks: Block[] };

/** A page of the reference, from which both HTML and Markdown are rendered. */
export interface Page {
  /** The path on the host, without `.md`. */
  path: string;
  title: string;
  /** The page's topic, in one sentence. */
  lead: string;
  /** A short fact beside the title, like `GET /v1/projects`. */
  note?: string;
  blocks: Block[];
}

export const heading = (text: string, level: 2 | 3 = 2): Block => ({
  type: "heading",
  text,
  level,
  id: text.toLowerCase().replace(/[^a-z0-9]+/g, "-"),
});
export const paragraph = (text: string): Block => ({ type: "paragraph", text });
export const list = (items: string[]): Block => ({ type: "list", items });
export const table = (columns: string[], rows: string[][]): Block => ({ type: "table", columns, rows });
export const code = (language: Language, text: string): Block => ({ type: "code", language, text });
/** Samples in several languages; a reader sees the language that they have chosen. */
export const samples = (texts: Partial<Record<Language, string>>): Block => ({
  type: "samples",
  samples: keysOf(texts).map((language) => ({ language, text: defined(texts[language]) })),
});
/** Blocks that a wide screen shows beside the rest of the page, which has them once at most. */
export const beside = (blocks: Block[]): Block => ({ type: "beside", blocks });
/** Returns all code of these blocks. */
export const codeOf = (blocks: readonly Block[]): Code[] =>
  blocks.flatMap((block) => {
    if (block.type === "beside") return codeOf(block.blocks);
    return block.type === "samples" ? block.samples : block.type === "code" ? block : [];
  });
export const shell = (text: string): Block => code("sh", text);
export const json = (value: unknown): Block => code("json", JSON.stringify(value, null, 2));
