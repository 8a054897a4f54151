const LONGEST = 80;

/** Returns an app's own name without characters that could make it look like another; null if nothing is left. */
export function shownName(name: string | undefined): string | null {
  const cleaned = (name ?? "")
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return [...cleaned].slice(0, LONGEST).join("").trim() || null;
}
