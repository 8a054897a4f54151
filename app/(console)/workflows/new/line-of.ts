/**
 * Returns the line of a JSON text on which the value at a path like `steps.0.input` begins; null if it is not found.
 */
export function lineOf(text: string, path: string): number | null {
  const wanted = path === "" ? [] : path.split(".");
  let at = 0;
  let found: number | null = null;
  const lineAt = (position: number) => text.slice(0, position).split("\n").length;
  const skip = () => {
    while (/\s/.test(text[at] ?? "")) at++;
  };

  function string(): string {
    const begin = at++;
    while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    return JSON.parse(text.slice(begin, ++at));
  }

  /** Reads a value. `depth` is how many names of the path have matched so far; null if the value is beside the path. */
  function value(depth: number | null): void {
    skip();
    // The deepest existing part of the path: a missing field is reported at its parent.
    if (depth !== null) found = lineAt(at);
    const opening = text[at];
    if (opening === '"') string();
    else if (opening === "{" || opening === "[") members(opening, depth);
    else while (at < text.length && !/[\s,\]}]/.test(text.charAt(at))) at++;
  }

  function members(opening: string, depth: number | null): void {
    at++;
    for (let nth = 0; ; nth++) {
      skip();
      if (text[at] === "}" || text[at] === "]" || at >= text.length) break;
      const begin = at;
      const name = opening === "{" ? string() : String(nth);
      const next = depth !== null && wanted[depth] === name ? depth + 1 : null;
      if (opening === "{") {
        skip();
        at++;
      }
      value(next);
      if (next === wanted.length) found = lineAt(begin);
      skip();
      if (text[at] === ",") at++;
    }
    at++;
  }

  try {
    value(0);
  } catch {
    return null;
  }
  return found;
}
