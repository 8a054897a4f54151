import { z } from "zod";
import { currentMs } from "#server/base/clock.ts";
import { DAY_MS } from "#server/base/durations.ts";

const UNIT_MS: Readonly<Record<string, number>> = { h: DAY_MS / 24, d: DAY_MS };
/** `24h` or `7d`: that long before now. */
const SPAN = /^(\d{1,3})([hd])$/;
/** A cursor of a list whose `from` is a span, and the moment that the first page began at. */
const BOUND_CURSOR = /^([^.]*)\.(\d{1,13})$/;

const SinceSpan = z.looseObject({ from: z.string().regex(SPAN), cursor: z.string().optional() });

/**
 * Replaces a span in a list's `from`, such as `24h`, with the moment that long before now. The console keeps spans in its
 * addresses and query keys, so that a period moves on with every refetch. A cursor is bound to its filters: later pages
 * keep the moment of the first page, which their cursor carries.
 */
export function resolveSpan(input: unknown): { sent: unknown; start: number | null } {
  const { data: list } = SinceSpan.safeParse(input);
  if (!list) return { sent: input, start: null };
  const bound = BOUND_CURSOR.exec(list.cursor ?? "");
  const [, amount, unit = ""] = SPAN.exec(list.from) ?? [];
  const start = bound ? Number(bound[2]) : currentMs() - Number(amount) * (UNIT_MS[unit] ?? 0);
  const from = new Date(start).toISOString();
  return { sent: { ...list, from, ...(bound && { cursor: bound[1] }) }, start };
}

/** Returns a list's answer with the moment that its period began at in `nextCursor`. */
export function bindCursor<Answer extends { nextCursor?: unknown }>(answer: Answer, start: number): Answer {
  return typeof answer.nextCursor === "string"
    ? { ...answer, nextCursor: `${answer.nextCursor}.${start}` }
    : answer;
}
