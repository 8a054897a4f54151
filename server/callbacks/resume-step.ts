import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { callbacks } from "#db/schema/callbacks.ts";
import { runs } from "#db/schema/runs.ts";
import { canonicalJson } from "#server/base/canonical-json.ts";
import { defined } from "#server/base/defined.ts";
import { toUuid } from "#server/base/ids.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { toStored } from "#server/operation/payload.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { platform } from "#server/platform.ts";
import { answerName } from "./queries.ts";
import { hashOf } from "./token.ts";

const said = z.string().max(2000, "At most 2000 characters.");

const Callback = z.looseObject({
  error: z
    .union([said, z.object({ message: said })], "Send a text, or an object with a text as message.")
    .optional()
    .describe("Why the step has failed; then it is not done."),
  progress: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("A heartbeat: how much is done, from 0 to 1. With nothing beside it but `message`."),
});

/** Served at the root by a handler of its own, beside the registry: its caller is the address itself. */
export const resumeStep = operation({
  id: "runs.steps.resume",
  method: "POST",
  path: "/resume/{token}",
  summary: "Call a step back",
  scope: null,
  params: z.object({ token: z.string().max(1000).describe("The callback's secret.") }),
  body: Callback,
  output: z.object({ status: z.enum(["done", "failed", "waiting"]).describe("How the step stands.") }),
  errors: ["not_found", "callback_over"],

  async handler({ params, body, db }) {
    const [found] = await db
      .select({ callback: callbacks, privacyTier: runs.privacyTier })
      .from(callbacks)
      .leftJoin(runs, and(eq(runs.accountId, callbacks.accountId), eq(runs.id, callbacks.runId)))
      .where(eq(callbacks.tokenHash, hashOf(params.token)));
    if (!found) throw new ApiError("not_found", "No step of a run is called back at this address.");
    const { accountId, runId, step, attempt } = found.callback;
    const sent = kindOf(body);
    const digest = sent === "waiting" ? null : createHash("sha256").update(canonicalJson(body)).digest("hex");
    const owner = { id: runId, privacyTier: found.privacyTier ?? "strict" };
    const answer = digest === null ? null : toStored(owner, answerName(step), body);
    const [row] = await db.execute<{ outcome: "taken" | "repeated" | "over" }>(sql`
      select take_callback(${toUuid("account", accountId)}, ${toUuid("run", runId)}, ${step}, ${attempt}, ${digest}, ${answer},
        ${sent === "failed"}, ${body.progress ?? null}::float8, ${owner.privacyTier === "strict" ? null : messageOf(body)}) as outcome`);
    const { outcome } = defined(row);
    if (outcome === "over")
      throw new ApiError(
        "callback_over",
        "Nothing more can come here: the step was called back with something else, its time is over, or its run has ended.",
      );
    publishChange(db, accountId, "runs");
    if (outcome === "taken" && digest !== null) platform().wakeUps.send("runs");
    return { status: sent };
  },
});

type CallbackBody = z.output<typeof Callback>;

/** Returns the kind of the body: a heartbeat, a failure, or the step's output. */
function kindOf(body: CallbackBody): "done" | "failed" | "waiting" {
  const beside = (...names: string[]) => Object.keys(body).find((name) => !names.includes(name));
  if (body.progress !== undefined) {
    const more = beside("progress", "message");
    if (more)
      throw invalid(`body.${more}`, "A heartbeat has nothing but progress and message. Leave it out.");
    if (body.message !== undefined && !said.safeParse(body.message).success)
      throw invalid("body.message", "Send a text of at most 2000 characters.");
    return "waiting";
  }
  if (body.error === undefined) return "done";
  const more = beside("error");
  if (more) throw invalid(`body.${more}`, "A failure has nothing but error. Leave it out.");
  return "failed";
}

function messageOf(body: CallbackBody): string | null {
  return typeof body.message === "string" ? body.message : null;
}
