import { titleOf } from "#server/catalogue/action-facts.ts";
import { abridged } from "#server/operation/shown-text.ts";
import { platform } from "#server/platform.ts";
import type { RunContext } from "#server/runs/run-context.ts";
import type { PlannedCall } from "./call-tools.ts";
import { allowedTools } from "./tools.ts";

/** Waits for a person's word, unless the key may not make the call: then it is refused and nobody is asked. */
export async function approveWrite(run: RunContext, name: string, planned: PlannedCall): Promise<void> {
  const { call, tool, credits } = planned;
  // Journalled, since a replay must take the same way.
  const { db } = platform().database;
  const allowed = await run.note(
    `${name}, access`,
    async () => (await allowedTools(db, run.caller, [tool])).length > 0,
  );
  if (!allowed) return;
  const { operation } = tool.action;
  const price = credits === 0 ? "" : credits === 1 ? ", for 1 credit" : `, for up to ${credits} credits`;
  await run.approval(`${name}, approval`, {
    summary: `The agent of ${run.id} asks for “${titleOf(tool.action)}” (${operation})${price}, with ${abridged(call.input)}.`,
    payload: { operation, input: call.input },
    initiatorMayApprove: true,
  });
}
