import { z } from "zod";
import type { CallRequest } from "#server/operation/operation.ts";
import { operation } from "#server/operation/operation.ts";
import { CreatedRun, CreateRuns } from "./batch-schema.ts";
import { createRun } from "./create-run.ts";

type Result = z.input<typeof CreatedRun>;

export const createRuns = operation({
  id: "runs.batch",
  method: "POST",
  path: "/runs/batch",
  summary: "Create many runs",
  description:
    "Creates the runs one after the other, each as its own call of `runs.create`: the key needs that operation, and each counts on its limits and credits. A refusal of one stops no other; a repeat under the same idempotency key finds the runs that were created.",
  scope: "runs:write",
  idempotent: true,
  external: true,
  body: CreateRuns,
  output: z.object({
    results: z.array(CreatedRun).describe("Each one's outcome, in the order of the request."),
  }),
  examples: {
    body: {
      items: [{ serviceId: "managed-memory", operationId: "put", input: { content: "Hello, world." } }],
    },
  },

  async handler({ body: { items }, request, effectId, commit }) {
    const results: Result[] = [];
    for (const [nth, item] of items.entries())
      results.push(await create(item, request, `${effectId}:${nth}`));
    return commit(async () => ({ results }));
  },
});

async function create(item: unknown, request: CallRequest, idempotencyKey: string): Promise<Result> {
  const answer = await request.call(createRun, { params: {}, body: item }, idempotencyKey);
  if (!answer.error) {
    const { run, debounced } = JSON.parse(answer.body);
    return { ok: true, run, debounced, error: null };
  }
  const { code, message, details } = answer.error;
  return {
    ok: false,
    run: null,
    debounced: false,
    error: {
      code,
      message,
      issues: details.issues?.map((issue) => ({ ...issue })) ?? [],
      retryAfterSeconds: details.retryAfterSeconds ?? null,
    },
  };
}
