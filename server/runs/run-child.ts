import { runs } from "#db/schema/runs.ts";
import { defined } from "#server/base/defined.ts";
import { newId, toUuid } from "#server/base/ids.ts";
import { ApiError, isErrorCode } from "#server/operation/errors.ts";
import { fromStored, toStored } from "#server/operation/payload.ts";
import { STORED_LIMITS } from "#server/workflows/limits.ts";
import { awaitLimit } from "./await-limit.ts";
import { bounded } from "./bounded.ts";
import { callOperation } from "./call-operation.ts";
import { cancelLiveRun, isRun } from "./queries.ts";
import { type ChildInput, RunFailure } from "./run-context.ts";
import { RUN_SECONDS } from "./schema.ts";
import { isCertain, type StepParts } from "./step-lifecycle.ts";

/** The journal's record of a step whose child run has been created. */
interface Started {
  id: string;
  deadline: number | null;
}

/**
 * Runs a step that is a run of its own: creates the child run once, waits for its end without a worker, and returns its
 * output.
 */
export async function runChild(
  parts: StepParts,
  name: string,
  input: ChildInput,
  deadline: number | null,
): Promise<unknown> {
  const { run, db, journal, entries, caller, control, lifecycle } = parts;
  const { enter, assertRunning, suspend, within, outputOf } = lifecycle;
  const { signal } = control.abort;
  const entry = enter(name);
  if (entry?.state === "done") return outputOf(name, entry);
  const isLimited = !entry?.output && entry?.wakeAt && entry.wakeAt.getTime() > run.now();
  if (isLimited) suspend(name, "wait");
  return within(
    name,
    async () => {
      const startedAt = performance.now();
      const known = entry?.output ? outputOf<Started>(name, entry) : null;
      const started = known ?? (await start());
      // A child that an earlier worker created may have ended before this worker claimed the run; then nothing wakes
      // it.
      const ended = known || run.resumed ? await endOf(started) : null;
      if (!ended) return suspend(name, "wait");
      const output = toStored(run, name, ended.output);
      assertRunning(await journal.finishStep(db, { name, output, startedAt }));
      return fromStored(run, name, output);
    },
    (reason) => reason instanceof RunFailure || isCertain(reason),
  );

  async function start(): Promise<Started> {
    const most = STORED_LIMITS.maximumRunDepth;
    if (run.depth >= most)
      throw new RunFailure(
        "depth_limit_exceeded",
        `${most} runs wait for one another above this step, the maximum. Start fewer runs within runs.`,
      );
    if (deadline !== null && deadline <= run.now()) throw timedOut();
    const requestId = newId("request");
    if (entry?.state !== "waiting")
      assertRunning(await journal.openStep(db, { name, state: "sent", data: { requestId } }));
    entries.set(name, { state: "sent", output: null, wakeAt: null, at: new Date(run.now()) });
    const answer = await bounded(signal, undefined, name, (inner) =>
      callOperation(run, caller, {
        name,
        operationId: "runs.create",
        input: { body: bodyOf() },
        requestId,
        signal: inner,
        runDepth: run.depth + 1,
      }),
    );
    if ("retryAfterSeconds" in answer) return awaitLimit(parts, name, { begun: entry, ...answer });
    const { id } = answer.body.run as { id: string };
    const started = { id, deadline };
    assertRunning(
      await journal.openStep(db, {
        name,
        state: "waiting",
        output: toStored(run, name, started),
        wakeAt: deadline === null ? null : new Date(deadline),
        data: { runId: id },
      }),
    );
    return started;
  }

  // The same for every attempt, or a repeat would be refused; it expires with this run at the latest.
  function bodyOf() {
    return {
      serviceId: "managed-workflows",
      operationId: "start",
      input,
      expiresInSeconds: RUN_SECONDS.most,
    };
  }

  /** Returns the child run's output; null while it runs. Throws its failure. */
  async function endOf({ id, deadline }: Started): Promise<{ output: unknown } | null> {
    const [row] = await db.select().from(runs).where(isRun(run.accountId, id));
    const child = defined(row);
    if (child.finishedAt === null) {
      if (deadline === null || deadline > run.now()) return null;
      await cancelLiveRun(db, { accountId: run.fence.accountId, runId: toUuid("run", id) });
      throw timedOut();
    }
    if (child.status !== "succeeded") throw failureOf(child);
    if (child.result === null)
      throw new RunFailure("state_conflict", `The output of run ${id} is no longer kept.`);
    return { output: fromStored<{ output?: unknown }>(child, "result", child.result).output ?? null };
  }

  function timedOut(): ApiError {
    return new ApiError("service_timeout", `${name} was not done in its time.`, {
      operationState: "completed",
    });
  }
}

/** Returns the failure of a step whose child run ended without a result. */
function failureOf({ id, status, error }: typeof runs.$inferSelect): Error {
  const code = error?.code ?? status;
  const message = `Run ${id} has ${status === "cancelled" ? "been cancelled" : status}: ${error?.message ?? ""}`;
  return isErrorCode(code)
    ? new ApiError(code, message, { operationState: "completed" })
    : new RunFailure(code, message);
}
