// Scripts that put no space between words: found by pairs of neighbouring characters.
const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
const RUN = new RegExp(
  String.raw`[[${UNSPACED}]&&[\p{L}\p{M}\p{N}]]+|[[\p{L}\p{M}\p{N}]--[${UNSPACED}]]+`,
  "gv",
);
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "v");
// Accents and vowel points, but not the marks that make another Japanese syllable.
const MARKS = /[\p{sc=Inherited}--[\u3099\u309A]]+/gv;
// More marks in a row than any script has: putting them in order takes the square of their number (UAX #15, "Stream-Safe").
const MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
const ASCII = /^[\0-\x7f]*$/;
const MAX_WORD = 64;

/** Text without the differences that a search should not see: case, accents, compatibility forms. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const plain = text.replace(MANY_MARKS, "$1").normalize("NFKD").replace(MARKS, "").normalize("NFC");
  // By way of the capitals ß becomes ss.
  return plain.toUpperCase().toLowerCase();
}

/** Whether the word is of a script without spaces. */
export const isUnspaced = (word: string): boolean => IS_UNSPACED.test(word);

/** Where the words of a text stand; a script without spaces counts as one word up to its end. */
export function* wordsOf(text: string): Generator<{ word: string; start: number }> {
  for (const match of text.matchAll(RUN)) yield { word: match[0], start: match.index };
}

/** What a folded word is indexed under, a position each. */
export function lexemesOf(word: string): string[] {
  if (!isUnspaced(word)) return [word.length > MAX_WORD ? [...word].slice(0, MAX_WORD).join("") : word];
  const letters = [...word];
  return letters.length === 1 ? letters : letters.slice(1).map((letter, index) => letters[index] + letter);
}

/**
 * What stands before every lexeme of a space, so that a search for the beginning of a word reads this space's words in
 * the index, not everybody's. Two spaces may share it: the condition on `space` separates them.
 */
export const markOf = (space: string): string => space.slice(0, 6);
