import { z } from "zod";
import type { Caller } from "#server/operation/caller.ts";
import { type Operation, operation } from "#server/operation/operation.ts";

/**
 * Returns the operation that admits messages to `/mcp`. Each message is a call of `actions.list` that is admitted,
 * counted and recorded, and that ends before its tool runs, so that a tool's call does not compete with its own
 * message for limits.
 */
export function admitMessage(admitted: (caller: Caller) => void): Operation {
  return operation({
    id: "actions.list",
    operationId: "mcp.message",
    method: "POST",
    path: "/mcp",
    summary: "Send an MCP message",
    scope: "services:read",
    surfaces: [],
    output: z.object({}),

    async handler({ caller }) {
      admitted(caller);
      return {};
    },
  });
}
