import { defined } from "#server/base/defined.ts";
import { FOUND_KINDS, type Found } from "./schema.ts";

/** How many of a kind are returned. */
const MAX_OF_A_KIND = 6;
const MAX_FOUND = 40;

const place = new Map(FOUND_KINDS.map((kind, nth) => [kind, nth]));

/**
 * Returns the best matches first: equal names, names with this beginning, names with this word, names with a word
 * that begins so; newest first within each.
 */
export function ranked(found: readonly Found[], text: string): Found[] {
  const wanted = text.toLowerCase();
  const scored = found
    .map((one) => ({ one, score: Math.min(scoreOf(one.label, wanted), scoreOfId(one.id, wanted)) }))
    .sort(
      (a, b) =>
        a.score - b.score ||
        defined(place.get(a.one.kind)) - defined(place.get(b.one.kind)) ||
        (a.one.id < b.one.id ? 1 : -1),
    );
  const counts = new Map<string, number>();
  return scored
    .flatMap(({ one }) => {
      const count = (counts.get(one.kind) ?? 0) + 1;
      counts.set(one.kind, count);
      return count > MAX_OF_A_KIND ? [] : [one];
    })
    .slice(0, MAX_FOUND);
}

/** A part of an id may be a word by chance, so that names come first; the beginning of one is no chance. */
function scoreOfId(id: string, wanted: string): number {
  if (wanted.includes("_")) return scoreOf(id, wanted);
  return id === wanted ? 0 : 5;
}

function scoreOf(label: string, wanted: string): number {
  const text = label.toLowerCase();
  const at = text.indexOf(wanted);
  if (at < 0) return 5;
  if (at === 0) return text.length === wanted.length ? 0 : 1;
  if (isLetter(text.charAt(at - 1))) return 4;
  return isLetter(text.charAt(at + wanted.length)) ? 3 : 2;
}

const isLetter = (text: string) => /[\p{L}\p{N}]/u.test(text);
