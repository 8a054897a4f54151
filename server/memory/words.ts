// Scripts without spaces between words; indexed by pairs of neighbouring characters.
const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
const RUN = new RegExp(
  String.raw`[[${UNSPACED}]&&[\p{L}\p{M}\p{N}]]+|[[\p{L}\p{M}\p{N}]--[${UNSPACED}]]+`,
  "gv",
);
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "v");
// Accents and vowel points, without the marks that form a different Japanese syllable.
const MARKS = /[\p{sc=Inherited}--[\u3099\u309A]]+/gv;
// More marks in a row than any script uses: ordering them takes quadratic time (UAX #15, "Stream-Safe").
const MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
const ASCII = /^[\0-\x7f]*$/;
const MAX_WORD = 64;

/** Returns the text without differences that a search ignores: case, accents, compatibility forms. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const plain = text.replace(MANY_MARKS, "$1").normalize("NFKD").replace(MARKS, "").normalize("NFC");
  // Upper case first, so that ß becomes ss.
  return plain.toUpperCase().toLowerCase();
}

/** True if the word is in a script without spaces. */
export const isUnspaced = (word: string): boolean => IS_UNSPACED.test(word);

/** Yields the words of a text with their positions; a run of a script without spaces is one word. */
export function* wordsOf(text: string): Generator<{ word: string; start: number }> {
  for (const match of text.matchAll(RUN)) yield { word: match[0], start: match.index };
}

/** Returns the lexemes that a folded word is indexed under, one position each. */
export function lexemesOf(word: string): string[] {
  if (!isUnspaced(word)) return [word.length > MAX_WORD ? [...word].slice(0, MAX_WORD).join("") : word];
  const letters = [...word];
  return letters.length === 1 ? letters : letters.slice(1).map((letter, index) => letters[index] + letter);
}

/**
 * Returns the prefix of every lexeme of a space, so that a prefix search reads only this space's part of the index.
 * Two spaces may share a prefix: the condition on `space` separates them.
 */
export const markOf = (space: string): string => space.slice(0, 6);
