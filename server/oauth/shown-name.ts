const LONGEST = 80;

/** A name that an app gives itself, without what would make it look like another; null where nothing is left. */
export function shownName(name: string | undefined): string | null {
  const cleaned = (name ?? "")
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return [...cleaned].slice(0, LONGEST).join("").trim() || null;
}
