import { sql } from "drizzle-orm";
import { answerName, openCallback } from "#server/callbacks/queries.ts";
import { ApiError } from "#server/operation/errors.ts";
import { isPlatformFault } from "#server/operation/faults.ts";
import { fromStored, toStored } from "#server/operation/payload.ts";
import { bounded } from "./bounded.ts";
import { fenceArguments } from "./claim-runs.ts";
import { type CallbackBounds, type CallbackRequest, type Effect, Stopped } from "./run-context.ts";
import { isCertain, type StepParts } from "./step-lifecycle.ts";

/** Opens the callback of an attempt at a step and returns its address, which is the same for every worker. */
export async function callbackAddress(
  { run, db, lifecycle }: Pick<StepParts, "run" | "db" | "lifecycle">,
  step: string,
  attempt: number,
  bounds: CallbackBounds,
): Promise<string> {
  const which = { accountId: run.accountId, runId: run.id, step, attempt };
  const address = await openCallback(db, which, fenceArguments(run.fence), bounds);
  if (address === null) lifecycle.assertRunning(null);
  return address ?? "";
}

interface CallbackState extends Record<string, unknown> {
  answered: boolean;
  failed: boolean;
  answer: Uint8Array | null;
  late: boolean;
  ends_ms: number;
}

/** Runs a step that sends a request once and waits, without a worker, for the result that is posted to its callback. */
export async function awaitCallback(
  { run, db, journal, entries, control, lifecycle }: StepParts,
  name: string,
  { attempt, repeatable, sendSeconds }: CallbackRequest,
  send: (effect: Pick<Effect, "idempotencyKey" | "signal" | "sending">) => Promise<void>,
): Promise<unknown> {
  const { enter, assertRunning, suspend, within, outputOf } = lifecycle;
  const entry = enter(name);
  if (entry?.state === "done") return outputOf(name, entry);
  // The entry may belong to an earlier attempt; its number says so.
  const known = entry?.output ? outputOf<number>(name, entry) : null;
  const output = toStored(run, name, attempt);
  let isSent = false;
  return within(
    name,
    async () => {
      const startedAt = performance.now();
      let callback = await check({});
      const isNew = known !== attempt;
      const isWaiting = !isNew && entry?.state === "waiting";
      if (!callback.answered && !callback.late && (isNew || (!isWaiting && repeatable))) {
        await bounded(control.abort.signal, sendSeconds, name, (signal) =>
          send({ idempotencyKey: `${run.id}:${name}`, signal, sending: () => sending(isNew) }),
        ).catch(refused);
      }
      callback = await check({ sent: !isWaiting });
      if (callback.answered) return finish(callback, startedAt);
      if (callback.late)
        throw new ApiError("service_timeout", `${name} got neither a result nor a heartbeat in time.`);
      const wakeAt = new Date(callback.ends_ms);
      const data = { until: wakeAt.toISOString(), callback: true };
      assertRunning(await journal.openStep(db, { name, state: "waiting", output, wakeAt, data }));
      return suspend(name, "wait");
    },
    isCertain,
  );

  /** Records right before the request leaves that it is sent. */
  async function sending(isNew: boolean): Promise<void> {
    if (isSent) return;
    isSent = true;
    if (isNew) assertRunning(await journal.openStep(db, { name, state: "sent", output }));
    entries.set(name, { state: "sent", output, wakeAt: null, at: new Date(run.now()) });
  }

  /** If the request certainly was not accepted, no result can come; otherwise the step waits for one. */
  async function refused(reason: unknown): Promise<void> {
    if (reason instanceof Stopped || isPlatformFault(reason) || control.abort.signal.aborted) throw reason;
    if (isSent && !isCertain(reason)) return;
    const { answered } = await check({ ends: true });
    if (!answered) throw reason;
  }

  async function check({ sent = false, ends = false }): Promise<CallbackState> {
    const [row] = await db.execute<CallbackState>(
      sql`select * from check_callback(${fenceArguments(run.fence)}, ${name}, ${attempt}, ${sent}, ${ends})`,
    );
    if (!row) assertRunning(null);
    return row as CallbackState;
  }

  async function finish({ failed, answer }: CallbackState, startedAt: number): Promise<unknown> {
    const posted = fromStored(run, answerName(name), answer);
    if (failed) throw new ApiError("service_failed", messageOf(posted), { operationState: "completed" });
    const stored = toStored(run, name, posted);
    assertRunning(await journal.finishStep(db, { name, output: stored, startedAt }));
    return fromStored(run, name, stored);
  }
}

/** Returns the posted reason of the failure. */
function messageOf(posted: unknown): string {
  const { error } = posted as { error: string | { message: string } };
  return typeof error === "string" ? error : error.message;
}
