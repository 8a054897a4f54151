import { defined } from "#server/base/defined.ts";
import { fold, isUnspaced, lexemesOf, markOf, wordsOf } from "./words.ts";

// PostgreSQL's limits: a tsvector holds 1 MB of lexemes and positions, a lexeme 256 positions up to 16,383.
const MAX_BYTES = 1_000_000;
const MAX_POSITIONS = 255;
const MAX_POSITION = 16_383;
/** The gap between positions of different texts, so that no phrase matches across them. */
const GAP = 10;

/**
 * Returns the words of a memory as the text of a `tsvector`. PostgreSQL's own parser is not used, since its
 * classification of letters depends on the database's locale. Words beyond the limits of a tsvector are left out.
 */
export function searchVector(
  space: string,
  texts: readonly { text: string; weight: "A" | "B" | "D" }[],
): string {
  const mark = markOf(space);
  const places = new Map<string, string[]>();
  let bytes = 0;
  let position = 0;

  function add(word: string, weight: string) {
    const lexeme = mark + word;
    const known = places.get(lexeme);
    if (known && known.length >= MAX_POSITIONS) return;
    bytes += known ? 2 : Buffer.byteLength(lexeme) + 6;
    if (bytes > MAX_BYTES) return;
    const place = `${Math.min(position, MAX_POSITION)}${weight}`;
    if (known) known.push(place);
    else places.set(lexeme, [place]);
  }

  for (const { text, weight } of texts) {
    for (const { word } of wordsOf(fold(text))) {
      for (const lexeme of lexemesOf(word)) {
        position += 1;
        add(lexeme, weight);
      }
      // The last letter of a word must be found by itself, too.
      if (isUnspaced(word) && word.length > 1) add(defined([...word].at(-1)), weight);
      if (bytes > MAX_BYTES) return write(places);
    }
    position += GAP;
  }
  return write(places);
}

// Lexemes consist of letters, digits and marks only, so none needs escaping.
function write(places: Map<string, string[]>): string {
  return Array.from(places, ([lexeme, list]) => `'${lexeme}':${list.join()}`).join(" ");
}
