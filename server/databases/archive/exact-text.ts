import { parseExactly } from "#server/operation/exact-numbers.ts";
import type { PgType } from "#server/providers/tenants/types.ts";
import type { Cells, ResultColumn } from "../statement.ts";
import { holdsJson, objectWriter } from "../values.ts";

/**
 * The field of an archived row that holds PostgreSQL's own text of values that JSON cannot represent exactly; no column
 * has this name.
 */
export const EXACT = "";

const JSONB = 3802;
/** JSON with more levels is too deep for recursive functions: only its text is stored. */
const MAX_LEVELS = 500;
/**
 * The characters of arrays and JSON that a row shows as JSON: an import parses them, and millions of empty objects take
 * many times the memory of their text. Of further values, only the text is stored.
 */
const MAX_PARSED = 1_048_576;

/**
 * Returns the function that writes rows as JSON objects, with values as in queries, from which every value can be
 * restored exactly.
 */
export function exactWriter(columns: readonly ResultColumn[]): (cells: Cells) => string {
  const write = objectWriter(columns);
  const inexact = columns.flatMap(({ name, type }, place) => {
    const loses = lossOf(type);
    return loses ? [{ key: JSON.stringify(name), place, loses }] : [];
  });
  return (cells) => {
    let shown = cells;
    let texts = "";
    let room = MAX_PARSED;
    for (const { key, place, loses } of inexact) {
      const text = cells[place] ?? null;
      if (text === null) continue;
      const fits = text.length <= room;
      if (fits) room -= text.length;
      if (fits && !loses(text)) continue;
      texts += `${texts && ","}${key}:${JSON.stringify(text)}`;
      if (!fits || isDeep(text)) shown = shown.with(place, null);
    }
    const json = write(shown);
    return texts ? `${json.slice(0, -1)},"${EXACT}":{${texts}}}` : json;
  };
}

/** Returns a test for texts of a type that the JSON of queries would change; null if none are. */
function lossOf(type: PgType): ((text: string) => boolean) | null {
  if (type.element) return holdsJson(type) ? () => true : (text) => text.startsWith("[");
  if (!holdsJson(type)) return null;
  // JSON's null would be NULL.
  if (type.oid === JSONB) return (text) => text === "null" || isDeep(text);
  return (text) => text === "null" || isDeep(text) || JSON.stringify(parseExactly(text)) !== text;
}

function isDeep(text: string): boolean {
  let levels = 0;
  for (let at = 0; at < text.length && levels <= MAX_LEVELS; at++) {
    const character = text[at];
    if (character === "[" || character === "{") levels += 1;
    else if (character === "]" || character === "}") levels -= 1;
  }
  return levels > MAX_LEVELS;
}
