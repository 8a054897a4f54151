import { createHash } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { triggerTicks } from "#db/schema/triggers.ts";
import { ApiError, type Issue } from "#server/operation/errors.ts";
import { readEvent } from "#server/sent-events/queries.ts";
import type { AwaitedEvent } from "#server/sent-events/schema.ts";
import type { Capability } from "#server/services/service.ts";
import { evaluate } from "#server/workflows/evaluate.ts";
import { parsePiece } from "#server/workflows/expressions.ts";
import { hasExpressions, piecesOf, textsIn } from "#server/workflows/template.ts";
import type { ClaimedTrigger } from "./claim-triggers.ts";

/** A tick for which a run is about to start. */
export interface DueTick {
  at: Date;
  kind: "schedule" | "event" | "fire" | "backfill";
}

/** The time or the event that a run is started for. */
export type Occasion = { scheduledAt: string } | { event: AwaitedEvent };

/** Sample occasions with which inputs are checked. */
export const SAMPLE_TIME = { scheduledAt: "2027-01-31T12:00:00.000Z" };
export const SAMPLE_EVENT = {
  event: { id: "", name: "", key: null, data: null, sentAt: SAMPLE_TIME.scheduledAt },
};

/** Returns the occasion of a tick's run, and the length of the chain of event-started runs above it. */
export async function occasionOf(
  db: Db,
  { accountId, id }: Pick<ClaimedTrigger, "accountId" | "id">,
  { at, kind }: DueTick,
): Promise<{ occasion: Occasion; depth: number }> {
  if (kind !== "event") return { occasion: { scheduledAt: at.toISOString() }, depth: 0 };
  const [tick] = await db
    .select({ eventId: triggerTicks.eventId, depth: triggerTicks.depth })
    .from(triggerTicks)
    .where(
      and(eq(triggerTicks.accountId, accountId), eq(triggerTicks.triggerId, id), eq(triggerTicks.at, at)),
    );
  const event = tick?.eventId ? await readEvent(db, accountId, tick.eventId) : null;
  if (!tick || !event)
    throw new Error(`The event of trigger ${id} at ${at.toISOString()} is not kept any more.`);
  return { occasion: { event }, depth: tick.depth };
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type Triggered = Pick<Capability, "triggered" | "ownExpressions">;

/** Separates the fields of an input whose expressions are evaluated for an event from those that stay as they are. */
function parted({ ownExpressions = [] }: Triggered, input: unknown) {
  if (!isFields(input)) return { template: input, kept: {} };
  const isOwn = ([name]: [string, unknown]) => ownExpressions.includes(name);
  const [own = [], others = []] = [true, false].map((one) =>
    Object.entries(input).filter((field) => isOwn(field) === one),
  );
  return { template: Object.fromEntries(others), kept: Object.fromEntries(own) };
}

/** Returns the input of a run for an occasion. Refuses expressions that fail; they read `event`. */
export async function inputFor(
  accountId: string,
  capability: Triggered,
  input: unknown,
  occasion: Occasion,
): Promise<unknown> {
  const filled = "event" in occasion ? await fill(accountId, capability, input, occasion.event) : input;
  return addOccasion(capability, filled, occasion);
}

/** Adds the occasion to a workflow's input. */
export function addOccasion({ triggered }: Triggered, input: unknown, occasion: Occasion): unknown {
  return triggered && isFields(input) ? triggered(input, occasion) : input;
}

async function fill(accountId: string, capability: Triggered, input: unknown, event: AwaitedEvent) {
  const { template, kept } = parted(capability, input);
  if (!hasExpressions(template)) return input;
  const filled = await evaluate(accountId, {
    template,
    path: "start.input",
    scope: () => JSON.stringify({ event }),
    now: Date.parse(event.sentAt),
    seed: createHash("sha256").update(event.id).digest().readInt32BE(),
  });
  return isFields(filled) ? { ...filled, ...kept } : (filled ?? null);
}

/** Returns the paths of texts with expressions below `path`; refuses malformed expressions. */
export function templatePaths(capability: Triggered, input: unknown, path: string): string[] {
  const texts = textsIn(parted(capability, input).template, path).filter(({ text }) => hasExpressions(text));
  const issues = texts.flatMap(({ text, path }) => faultIn(text, path) ?? []);
  if (issues[0]) throw new ApiError("invalid_request", issues[0].message, { issues });
  return texts.map(({ path }) => path);
}

function faultIn(text: string, path: string): Issue | null {
  for (const piece of piecesOf(text)) {
    const fault = piece.type === "text" ? undefined : parsePiece(piece).fault;
    if (fault) return { path, message: `${fault.message}, at character ${fault.character}.` };
  }
  return null;
}
