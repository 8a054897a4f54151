/**
 * Returns the text that a line stands for, if it is written as a JSON string because it can't be a line itself: it has
 * line breaks, or spaces at its ends. Null for any other line, also one in quotes.
 */
function quotedIn(line: string): string | null {
  if (!line.startsWith('"')) return null;
  try {
    const text: unknown = JSON.parse(line);
    return typeof text === "string" && !isPlain(text) ? text : null;
  } catch {
    return null;
  }
}

/** True if a line that consists of this text stands for it. */
const isPlain = (text: string) =>
  text !== "" && text === text.trim() && !/[\r\n]/.test(text) && quotedIn(text) === null;

/** Returns the line that stands for a text: the text itself, or a JSON string if it can't be one. */
export const lineOf = (text: string) => (isPlain(text) ? text : JSON.stringify(text));

/** Returns the texts for which the lines of a field stand; ignores empty lines. */
export const textsIn = (lines: string) =>
  lines
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => quotedIn(line) ?? line);
