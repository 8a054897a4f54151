import { z } from "zod";
import type { Caller } from "#server/operation/caller.ts";
import { type Operation, operation } from "#server/operation/operation.ts";

/**
 * Admits messages to `/mcp`: each is a call on `actions.list` that is admitted, counted and recorded, and ended
 * before what it asks for begins, so that a tool's call is not in the way of its own limits.
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
