import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { executeQuote } from "#server/wallets/executions/execution.ts";
import { ExecuteSwap, Swap } from "./schema.ts";
import { swapExecution } from "./swap-execution.ts";

export const executeSwap = operation({
  id: "swaps.execute",
  method: "POST",
  path: "/swaps",
  summary: "Execute a swap that was quoted",
  description:
    "Executes a quote exactly once, even if a connection or a process breaks off. The policy is judged again now; where it asks for an approval, the swap waits for that, is quoted anew and judged once more, and yields at least the approved minimum or fails. Its credits are held now and charged when the chain has taken it.",
  scope: "wallets:transact",
  service: "universal-swaps",
  metered: true,
  stepUp: true,
  idempotent: true,
  movesMoney: true,
  external: "reads",
  body: ExecuteSwap,
  output: z.object({ swap: Swap }),
  status: 202,
  errors: [
    "not_found",
    "quote_expired",
    "state_conflict",
    "policy_denied",
    "insufficient_credits",
    "service_unavailable",
  ],

  handler: ({ body, ...context }) => executeQuote(swapExecution, { ...context, ...body }),
});
