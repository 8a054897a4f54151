import { descriptionOf, titleOf } from "#server/catalogue/action-text.ts";
import type { CatalogueAction } from "#server/catalogue/actions.ts";

function wordsOf(text: string): string[] {
  const apart = text.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return apart.match(/[a-z0-9]+/g) ?? [];
}

/** Returns the three-letter pieces of words; most pieces survive a typo or another word ending. */
function piecesOf(words: string[]): Set<string> {
  return new Set(
    words.flatMap((word) => Array.from(word, (_, index) => ` ${word} `.slice(index, index + 3))),
  );
}

/** Returns the actions that a text may mean, best match first. */
export function rank(actions: readonly CatalogueAction[], text: string): CatalogueAction[] {
  const wanted = wordsOf(text).map((word) => [...piecesOf([word])]);
  const scored = actions.map((action) => ({ action, score: scoreOf(action, wanted) }));
  const best = Math.max(1, ...scored.map(({ score }) => score));
  return scored
    .filter(({ score }) => score >= best / 2)
    .sort((a, b) => b.score - a.score)
    .map(({ action }) => action);
}

/** Returns how many of the wanted words the action contains; words in its name and title count twice. */
function scoreOf(action: CatalogueAction, wanted: string[][]): number {
  const title = titleOf(action);
  const rest = `${descriptionOf(action)} ${action.method} ${action.path}`;
  const texts = [action.operation, action.operation, title, title, rest].map((text) =>
    piecesOf(wordsOf(text)),
  );
  const found = texts.flatMap((pieces) =>
    wanted.filter((word) => word.filter((piece) => pieces.has(piece)).length >= 0.6 * word.length),
  );
  return found.length;
}
