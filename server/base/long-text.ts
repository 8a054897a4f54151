/** The most strings that are held before they are joined. */
const MAX_PIECES = 4096;
/** The characters that are replaced at a time. */
const PIECE_LENGTH = 65_536;

/**
 * Collects the pieces of a text, which may be millions: a list or tree of them takes many times the memory of the text.
 */
export function collectText(separator = "") {
  const joined: string[] = [];
  let pieces: string[] = [];
  return {
    add(piece: string): void {
      if (pieces.push(piece) < MAX_PIECES) return;
      joined.push(pieces.join(separator));
      pieces = [];
    },
    /** Returns the text. */
    end(): string {
      if (joined.length === 0) return pieces.join(separator);
      if (pieces.length > 0) joined.push(pieces.join(separator));
      return joined.join(separator);
    },
  };
}

/** A pattern that matches one character everywhere in a text, and its replacement. */
export type Replacement = readonly [pattern: RegExp, by: string];

/**
 * Replaces characters in a text, which may be long, one replacement after the other: V8 lists all matches of a call in
 * memory.
 */
export function replaceCharacters(text: string, replacements: readonly Replacement[]): string {
  const replaceIn = (piece: string) =>
    replacements.reduce((replaced, [pattern, by]) => replaced.replace(pattern, by), piece);
  if (text.length <= PIECE_LENGTH) return replaceIn(text);
  const replaced = collectText();
  for (let at = 0; at < text.length; at += PIECE_LENGTH)
    replaced.add(replaceIn(text.slice(at, at + PIECE_LENGTH)));
  return replaced.end();
}
