import { Readable } from "node:stream";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { insertArtifact } from "#server/artifacts/queries.ts";
import type { Artifact } from "#server/artifacts/schema.ts";
import { newId } from "#server/base/ids.ts";
import { keeping, writeBlob } from "#server/blobs/queries.ts";
import type { Caller } from "#server/operation/caller.ts";
import { fromStored, toStored } from "#server/operation/payload.ts";
import { awaitApproval } from "./await-approval.ts";
import { awaitCallback, callbackAddress } from "./await-callback.ts";
import { awaitEvent } from "./await-event.ts";
import { awaitLimit } from "./await-limit.ts";
import { bounded } from "./bounded.ts";
import { callOperation } from "./call-operation.ts";
import type { ClaimedRun } from "./claim-runs.ts";
import { endWaits, isWithin } from "./end-waits.ts";
import { guardBlock } from "./guard-block.ts";
import type { Journal, JournalEntry } from "./journal.ts";
import { mapBounded } from "./map-bounded.ts";
import { runChild } from "./run-child.ts";
import { type RunContext, RunFailure, stepPath } from "./run-context.ts";
import { RUN_SECONDS } from "./schema.ts";
import {
  type Control,
  type ExecutionState,
  isCertain,
  MESSAGE_CHARACTERS,
  stepLifecycle,
} from "./step-lifecycle.ts";
import { outputWriter } from "./write-output.ts";

const LOG_LINES = 1000;

/** Returns the context of one execution of a run's handler: each step reads the journal before it does anything. */
export function contextOf(
  run: ClaimedRun,
  parts: { db: Db; journal: Journal; entries: Map<string, JournalEntry>; caller: Caller; control: Control },
): { context: RunContext; execution: ExecutionState } {
  const { db, journal, entries, caller, control } = parts;
  const { signal } = control.abort;
  const lifecycle = stepLifecycle(run, { journal, entries, control });
  const { execution, enter, assertRunning, suspend, within, attempt, outputOf } = lifecycle;
  const stepParts = { ...parts, run, lifecycle };
  const keyOf = (name: string) => `${run.id}:${name}`;
  let logged = 0;
  let progress = run.progress;

  const context: RunContext = {
    id: run.id,
    input: fromStored(run, "input", run.input),
    caller,
    signal,
    connectionId: run.connectionId,
    workflow: run.workflow,
    now: run.now,

    async step<T>(name: string, work: Parameters<RunContext["step"]>[1]) {
      const entry = enter(name);
      if (entry?.state === "done") return outputOf<T>(name, entry);
      return within(name, async () => {
        const startedAt = performance.now();
        const perform = async (tx: Transaction | null) => {
          const value = await work({ tx: tx as Transaction, idempotencyKey: keyOf(name) });
          const output = toStored(run, name, value);
          const seen = await journal.finishStep(tx ?? db, { name, output, startedAt });
          // Rolls back the step's effects: another worker has claimed the run.
          if (seen === null) assertRunning(seen);
          return { output, seen };
        };
        // Work that takes no argument has no effects to store with its output: one statement instead of three.
        const { output, seen } = await (work.length === 0 ? perform(null) : db.transaction(perform));
        assertRunning(seen);
        return fromStored<T>(run, name, output);
      });
    },

    async effect<T>(
      name: string,
      { repeatable, timeoutSeconds, uses }: Parameters<typeof context.effect<T>>[1],
      work: Parameters<RunContext["effect"]>[2],
    ) {
      const entry = enter(name);
      if (entry?.state === "done") return outputOf<T>(name, entry);
      const wasSent = entry?.state === "sent";
      let isSent = false;
      async function sending() {
        if (isSent) return;
        isSent = true;
        assertRunning(await journal.openStep(db, { name, state: "sent" }));
        entries.set(name, { state: "sent", output: null, wakeAt: null, at: new Date(run.now()) });
      }
      return within(
        name,
        async () => {
          if (wasSent && !repeatable)
            throw new RunFailure(
              "service_timeout",
              `${name} was sent and never answered: whether it acted is unknown.`,
            );
          const startedAt = performance.now();
          const { write, end } = outputWriter(db, run, name);
          const value = await bounded(signal, timeoutSeconds, name, (inner) =>
            work({ idempotencyKey: keyOf(name), signal: inner, sending, write }),
          ).finally(end);
          const output = toStored(run, name, value);
          const used = uses?.(value as T, run.used) ?? null;
          const seen = await journal.finishStep(db, { name, output, startedAt, used });
          run.used = used ?? run.used;
          assertRunning(seen);
          return fromStored<T>(run, name, output);
        },
        (reason) => (!wasSent && !isSent) || isCertain(reason),
      );
    },

    recorded(name) {
      const entry = entries.get(name);
      return entry?.state === "done" || entry?.state === "noted" ? { output: outputOf(name, entry) } : null;
    },

    async call(name, operationId, input, { timeoutSeconds } = {}) {
      const entry = enter(name);
      if (entry?.state === "done") return outputOf(name, entry);
      if (entry?.wakeAt && entry.wakeAt.getTime() > run.now()) suspend(name, "wait");
      return within(
        name,
        async () => {
          // A call that waited for a limit is in the timeline already.
          const requestId = newId("request");
          if (entry?.state !== "waiting")
            assertRunning(await journal.openStep(db, { name, state: "sent", data: { requestId } }));
          entries.set(name, { state: "sent", output: null, wakeAt: null, at: new Date(run.now()) });
          const startedAt = performance.now();
          const answer = await bounded(signal, timeoutSeconds, name, (inner) =>
            callOperation(run, caller, { name, operationId, input, requestId, signal: inner }),
          );
          if ("retryAfterSeconds" in answer) return awaitLimit(stepParts, name, { begun: entry, ...answer });
          const { body, chargedCredits } = answer;
          assertRunning(
            await journal.finishStep(db, {
              name,
              output: toStored(run, name, body),
              chargedCredits,
              startedAt,
            }),
          );
          return body;
        },
        isCertain,
      );
    },

    callbackAddress: (...ask) => callbackAddress(stepParts, ...ask),

    awaitCallback: (...ask) => awaitCallback(stepParts, ...ask),

    awaitEvent: (name, request) => awaitEvent(stepParts, name, request),

    child: (name, input, deadline) => runChild(stepParts, name, input, deadline),

    begun: (name) => entries.get(name)?.state === "sent",

    guard: (...ask) => guardBlock(stepParts, ...ask),

    async note<T>(name: string, decide: () => Promise<T>) {
      const entry = enter(name);
      if (entry) return outputOf<T>(name, entry);
      const output = toStored(run, name, await decide());
      assertRunning(await journal.noteStep({ name, output }));
      return fromStored<T>(run, name, output);
    },

    async attempt(name, nth, again, work) {
      const note = `${stepPath(name)}:attempt${nth}`;
      const output = toStored(run, note, null);
      let entry = enter(note);
      if (!entry) {
        const done = await attempt(name, {
          work,
          again,
          async retry({ delaySeconds, ...failure }) {
            const waits = [...execution.suspended.keys()].some((waiting) => isWithin(waiting, name));
            if (waits) await endWaits(stepParts, name);
            const delayMs = Math.ceil(Math.min(delaySeconds, RUN_SECONDS.most) * 1000);
            assertRunning(await journal.retryStep({ name, note, output, attempt: nth, delayMs, ...failure }));
            entry = {
              state: delayMs > 0 ? "waiting" : "noted",
              output,
              wakeAt: new Date(run.now() + delayMs),
              at: new Date(run.now()),
            };
          },
        });
        if (done) return done;
      }
      if (entry?.state !== "waiting") return null;
      if (entry.wakeAt && entry.wakeAt.getTime() > run.now()) suspend(note, "wait");
      assertRunning(await journal.noteStep({ name: note, output }));
      return null;
    },

    async pause(name, seconds) {
      const entry = enter(name);
      if (entry?.state === "noted") return;
      const wakeAt = entry?.wakeAt ?? new Date(run.now() + seconds * 1000);
      if (!entry)
        assertRunning(await journal.openStep(db, { name, state: "waiting", wakeAt, data: { seconds } }));
      if (wakeAt.getTime() > run.now()) suspend(name, "wait");
      assertRunning(await journal.noteStep({ name, output: toStored(run, name, null) }));
    },

    async wait(name, seconds) {
      const entry = enter(name);
      if (entry?.state === "done") return;
      const wakeAt = entry?.wakeAt ?? new Date(run.now() + seconds * 1000);
      if (!entry)
        assertRunning(await journal.openStep(db, { name, state: "waiting", wakeAt, data: { seconds } }));
      if (wakeAt.getTime() > run.now()) suspend(name, "wait");
      assertRunning(
        await journal.finishStep(db, {
          name,
          output: toStored(run, name, null),
          startedAt: performance.now(),
        }),
      );
    },

    approval: (name, ask) => awaitApproval(stepParts, name, ask),

    async artifact(name, { content, ...file }) {
      const entry = enter(name);
      if (entry?.state === "done") return outputOf(name, entry);
      return within(name, async () => {
        const startedAt = performance.now();
        const isWhole = content instanceof Uint8Array;
        const blob = await writeBlob(isWhole ? Readable.from([content]) : content, {
          accountId: run.accountId,
          kind: "artifacts",
          ...(isWhole && { sizeBytes: content.byteLength }),
        });
        const { made, seen } = await keeping(blob, () =>
          db.transaction(async (tx) => {
            const made = (await insertArtifact(tx, { run, ...file, blob })) as z.output<typeof Artifact>;
            const seen = await journal.finishStep(tx, { name, output: toStored(run, name, made), startedAt });
            if (seen === null) assertRunning(seen);
            return { made, seen };
          }),
        );
        assertRunning(seen);
        return made;
      });
    },

    map: mapBounded,

    async log(level, message, data) {
      logged += 1;
      // When the handler runs again, it has logged these before. Text that may be the customer's is not stored
      // unsealed.
      if (logged <= run.logged || run.privacyTier === "strict") return;
      if (logged > LOG_LINES)
        throw new RunFailure("log_limit_exceeded", `A run logs at most ${LOG_LINES} lines.`);
      assertRunning(await journal.log(level, message.slice(0, MESSAGE_CHARACTERS), data ?? null));
    },

    async progress(fraction, message) {
      if (fraction <= progress) return;
      progress = Math.min(fraction, 1);
      assertRunning(await journal.progress(progress, message ?? `${Math.round(progress * 100)} % done.`));
    },

    charge(credits, units) {
      execution.credits += credits;
      execution.units += units;
    },
  };
  return { context, execution };
}
