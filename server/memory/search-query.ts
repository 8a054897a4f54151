import { fold, isUnspaced, lexemesOf, markOf, wordsOf } from "./words.ts";

/** A folded word to search for. */
export interface Term {
  word: string;
  /** True if the word may be the beginning of a longer one. */
  prefix: boolean;
}

/** A search in the forms that PostgreSQL and the highlighter need. */
export interface SearchQuery {
  /** The search as the text of a `tsquery`. */
  wide: string;
  /** The same search for whole words only, which rank higher. */
  exact: string;
  terms: Term[];
}

// "several words", or one word; either may follow a minus.
const PART = /(-?)(?:"([^"]*)"|([^\s"]+))/g;

/** A sequence of words that must occur or, if negated, must not. */
interface Part {
  negated: boolean;
  terms: Term[];
}

/** Parses a person's search in a space: words, "phrases", -exclusions, or. Null if it has no word to search for. */
export function parseQuery(space: string, text: string): SearchQuery | null {
  const alternatives: Part[][] = [[]];
  for (const [, minus, phrase, word] of text.matchAll(PART)) {
    if (!minus && word && /^or$/i.test(word)) {
      alternatives.push([]);
      continue;
    }
    const words = Array.from(wordsOf(fold(phrase ?? word ?? "")), (found) => found.word);
    const terms = words.map((word, nth) => ({
      word,
      prefix: phrase === undefined && !minus && nth === words.length - 1 && [...word].length > 1,
    }));
    if (terms.length > 0) alternatives.at(-1)?.push({ negated: minus === "-", terms });
  }
  // An alternative with exclusions only would match nearly everything.
  const sought = alternatives.filter((parts) => parts.some(({ negated }) => !negated));
  if (sought.length === 0) return null;
  return {
    wide: write(markOf(space), sought, (term) => term.prefix),
    exact: write(markOf(space), sought, () => false),
    terms: sought.flatMap((parts) => parts.flatMap(({ negated, terms }) => (negated ? [] : terms))),
  };
}

function write(mark: string, alternatives: Part[][], isPrefix: (term: Term) => boolean): string {
  const writePart = ({ negated, terms }: Part) =>
    `${negated ? "!" : ""}(${terms.flatMap((term) => writeTerm(mark, term, isPrefix(term))).join(" <-> ")})`;
  return alternatives.map((parts) => `(${parts.map(writePart).join(" & ")})`).join(" | ");
}

function writeTerm(mark: string, { word }: Term, prefix: boolean): string[] {
  const lexemes = lexemesOf(word);
  // Scripts without spaces are indexed by pairs of letters; a single letter is searched as the beginning of a pair.
  const open = isUnspaced(word) ? lexemes[0] === word && [...word].length === 1 : prefix;
  return lexemes.map((lexeme) => `'${mark}${lexeme}'${open ? ":*" : ""}`);
}
