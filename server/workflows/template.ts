/** A piece of a text: plain, an expression `{% … %}`, or an unclosed `{%` with the rest. */
export interface Piece {
  type: "text" | "expression" | "unclosed";
  value: string;
  /** The position of the value within the text. */
  position: number;
}

/** Returns the pieces of a text. The first `%}` ends an expression. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf("{%", at);
    const end = open === -1 ? text.length : open;
    if (end > at) pieces.push({ type: "text", value: text.slice(at, end), position: at });
    if (open === -1) break;
    const close = text.indexOf("%}", open + 2);
    if (close === -1) {
      pieces.push({ type: "unclosed", value: text.slice(open + 2), position: open + 2 });
      break;
    }
    pieces.push({ type: "expression", value: text.slice(open + 2, close), position: open + 2 });
    at = close + 2;
  }
  return pieces;
}

/** True if a value contains expressions. */
export function hasExpressions(value: unknown): boolean {
  if (typeof value === "string") return value.includes("{%");
  return typeof value === "object" && value !== null && Object.values(value).some(hasExpressions);
}

/** Returns every text within a value, with its path below `path`. */
export function textsIn(value: unknown, path: string): { text: string; path: string }[] {
  if (typeof value === "string") return [{ text: value, path }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => textsIn(child, `${path}.${key}`));
}
