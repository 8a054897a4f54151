import { sql } from "drizzle-orm";
import { z } from "zod";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import type { RunContext } from "#server/runs/run-context.ts";
import { readWait } from "#server/sent-events/queries.ts";
import { capability, type ServiceDefinition } from "#server/services/service.ts";

const name = z.string();

/** An action of a scripted run; actions are executed in order. */
const Action = z.discriminatedUnion("do", [
  /** A step with an effect in the database: a row of `effects`. It takes `ms` milliseconds after that. */
  z.strictObject({ do: z.literal("step"), name, ms: z.int().default(0) }),
  /** A step without an effect. */
  z.strictObject({ do: z.literal("note"), name }),
  /** A request to a peer, with the idempotency key. */
  z.strictObject({ do: z.literal("send"), name, url: z.string(), repeatable: z.boolean() }),
  z.strictObject({ do: z.literal("wait"), name, seconds: z.number() }),
  /** Waits for an event of this name and key. */
  z.strictObject({ do: z.literal("await"), name, event: z.string(), key: z.string() }),
  z.strictObject({
    do: z.literal("call"),
    name,
    operationId: z.string(),
    body: z.record(z.string(), z.unknown()).optional(),
  }),
  z.strictObject({ do: z.literal("approval"), name }),
  z.strictObject({ do: z.literal("artifact"), name, content: z.string() }),
  /** Never returns until the run is left. */
  z.strictObject({ do: z.literal("hang"), name }),
  /** Fails so many times, then succeeds. */
  z.strictObject({ do: z.literal("fail"), name, times: z.int() }),
  z.strictObject({ do: z.literal("log"), message: z.string() }),
  z.strictObject({ do: z.literal("progress"), fraction: z.number() }),
  z.strictObject({ do: z.literal("charge"), credits: z.int() }),
]);

const Script = z.strictObject({
  /** Kills the process with SIGKILL at this boundary: `before x`, `within x`, `woken x`, `after x`, `at the end`. */
  killAt: z.string().optional(),
  actions: z.array(Action),
});

type Script = z.output<typeof Script>;

const failures = new Map<string, number>();

/**
 * Returns a service whose runs execute the actions in their input; with `mayKill` they kill their own process where the
 * input says so.
 */
export function scriptedService({ mayKill = false } = {}): ServiceDefinition {
  function reach(script: Script, place: string): void {
    if (mayKill && script.killAt === place) process.kill(process.pid, "SIGKILL");
  }

  async function act(run: RunContext<Script>, action: Script["actions"][number]): Promise<unknown> {
    const script = run.input;
    switch (action.do) {
      case "step":
        return run.step(action.name, async ({ tx }) => {
          await tx.execute(sql`insert into effects (run, name) values (${run.id}, ${action.name})`);
          await new Promise((resolve) => setTimeout(resolve, action.ms));
          reach(script, `within ${action.name}`);
        });
      case "note":
        return run.step(action.name, async () => action.name);
      case "send":
        return run.effect(
          action.name,
          { repeatable: action.repeatable },
          async ({ idempotencyKey, signal, sending }) => {
            await sending();
            reach(script, `sent ${action.name}`);
            const headers = { "idempotency-key": idempotencyKey };
            const answer = await fetch(action.url, { method: "POST", headers, signal });
            reach(script, `within ${action.name}`);
            return answer.status;
          },
        );
      case "wait":
        return run.wait(action.name, action.seconds);
      case "await": {
        // The event has arrived, and the worker that continues because of it has not stored that yet.
        const which = { accountId: run.caller.accountId, runId: run.id, step: action.name };
        if ((await readWait(platform().database.db, which)).event) reach(script, `woken ${action.name}`);
        const { event, key } = action;
        return run.awaitEvent(action.name, {
          events: [{ name: event, key }],
          timeoutSeconds: 3600,
          deadline: null,
          goesOnLate: false,
        });
      }
      case "call":
        return run.call(action.name, action.operationId, { body: action.body });
      case "approval":
        return run.approval(action.name, {
          summary: "Go on with the script.",
          bareSummary: "Go on.",
          payload: action,
        });
      case "artifact": {
        const content = new TextEncoder().encode(action.content);
        return run.artifact(action.name, { name: action.name, mediaType: "text/plain", content });
      }
      case "hang":
        return run.effect(action.name, { repeatable: false }, async ({ signal, sending }) => {
          await sending();
          return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        });
      case "fail":
        return run.step(action.name, async () => {
          const before = failures.get(run.id) ?? 0;
          failures.set(run.id, before + 1);
          if (before < action.times) throw new ApiError("service_failed", "The step was told to fail.");
        });
      case "log":
        return run.log("info", action.message);
      case "progress":
        return run.progress(action.fraction);
      case "charge":
        return run.charge(action.credits, 1);
    }
  }

  return {
    id: "scripted",
    name: "Scripted",
    description: "Runs for tests.",
    capabilities: [
      capability({
        id: "play",
        title: "Play a script",
        description: "Does what its input says.",
        input: Script,
        output: z.object({ results: z.array(z.unknown()) }),
        modes: ["run"],
        readOnly: false,
        destructive: false,
        requiresApproval: false,
        price: { unit: "step", credits: 1, maximum: 20 },
        async run(run) {
          const results: unknown[] = [];
          for (const action of run.input.actions) {
            reach(run.input, `before ${"name" in action ? action.name : action.do}`);
            results.push((await act(run, action)) ?? null);
            reach(run.input, `after ${"name" in action ? action.name : action.do}`);
          }
          reach(run.input, "at the end");
          return { results };
        },
      }),
    ],
  };
}
