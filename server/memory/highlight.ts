import type { Term } from "./search-query.ts";
import { fold, isUnspaced, wordsOf } from "./words.ts";

/** The excerpt's length in characters, and the part of it before its first match. */
const LENGTH = 240;
const LEAD = 40;
/** The maximum number of matches considered for the best excerpt. */
const MAX_MATCHES = 200;
/** The maximum number of comparisons (words times terms): enough for eight terms in the longest content. */
const MAX_COMPARISONS = 1_000_000;

interface Span {
  start: number;
  end: number;
}

/**
 * Returns the excerpt of a text with the most matches, as HTML: `<mark>` around each match, everything else escaped.
 */
export function highlight(content: string, terms: readonly Term[]): string {
  const matches = matchesOf(content, terms);
  const best = bestOf(matches);
  let start = Math.max(0, (matches[best]?.start ?? 0) - LEAD);
  if (start > 0) start = wordStart(content, start);
  const end = Math.min(content.length, start + LENGTH);
  let html = start > 0 ? "…" : "";
  let at = start;
  for (const match of matches) {
    if (match.start < at) continue;
    if (match.end > end) break;
    html += `${escapeHtml(content.slice(at, match.start))}<mark>${escapeHtml(content.slice(match.start, match.end))}</mark>`;
    at = match.end;
  }
  return `${html}${escapeHtml(content.slice(at, end))}${end < content.length ? "…" : ""}`;
}

function matchesOf(content: string, terms: readonly Term[]): Span[] {
  const matches: Span[] = [];
  let left = MAX_COMPARISONS;
  for (const { word, start } of wordsOf(content)) {
    const folded = fold(word);
    const found = isUnspaced(folded) ? within(word, folded, terms) : whole(word, folded, terms);
    if (found) matches.push({ start: start + found.start, end: start + found.end });
    left -= terms.length;
    if (matches.length === MAX_MATCHES || left < 0) break;
  }
  return matches;
}

function whole(word: string, folded: string, terms: readonly Term[]): Span | null {
  const matches = terms.some((term) => (term.prefix ? folded.startsWith(term.word) : folded === term.word));
  return matches ? { start: 0, end: word.length } : null;
}

function within(word: string, folded: string, terms: readonly Term[]): Span | null {
  for (const term of terms) {
    const start = folded.indexOf(term.word);
    if (start < 0) continue;
    // If folding changed the length, positions in the two texts do not correspond.
    return folded.length === word.length
      ? { start, end: start + term.word.length }
      : { start: 0, end: word.length };
  }
  return null;
}

/** Returns the match at which the excerpt with the most matches begins. */
function bestOf(matches: readonly Span[]): number {
  let best = 0;
  let most = 0;
  for (const [index, match] of matches.entries()) {
    const count = matches.slice(index).filter(({ end }) => end <= match.start + LENGTH - LEAD).length;
    if (count > most) [best, most] = [index, count];
  }
  return best;
}

function wordStart(content: string, from: number): number {
  const space = content.slice(from, from + LEAD).search(/\s\S/);
  return space < 0 ? from : from + space + 1;
}

function escapeHtml(text: string): string {
  // An excerpt may begin or end inside a surrogate pair.
  return text.toWellFormed().replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
