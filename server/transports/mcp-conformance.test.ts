import { afterAll, expect, test } from "vitest";
import { createHttpServer } from "#server/boot/http/http-server.ts";
import { mcpServerFor } from "#server/mcp/mcp-server.ts";
import { operations } from "#server/operations.ts";
import { startApi } from "#server/testing/api.ts";
import { runConformance } from "#server/testing/conformance.ts";
import { addFixtures } from "#server/testing/mcp-fixtures.ts";
import { addRoundTrips, requestState } from "#server/testing/mcp-round-trips.ts";
import { createMcpRoute } from "./mcp.ts";

const NO_BACK_CHANNEL =
  "The server asks the client in the middle of a call and waits: 2025-11-25 needs a session for that, and none is held.";
const NO_SESSIONS = "Resumes a session's stream: no session is held.";
const NO_TASKS = "An optional extension: durable work is a run, with operations of its own.";

/** Checks that do not apply to a stateless server, by scenario, with the reason. */
const NOT_APPLICABLE: Record<string, Record<string, string>> = {
  "2025-11-25": {
    "elicitation-sep1034-defaults": NO_BACK_CHANNEL,
    "elicitation-sep1330-enums": NO_BACK_CHANNEL,
    "server-sse-multiple-streams": NO_SESSIONS,
    "server-sse-polling": NO_SESSIONS,
    "tools-call-elicitation": NO_BACK_CHANNEL,
    "tools-call-sampling": NO_BACK_CHANNEL,
  },
  "2026-07-28": {
    "tasks-capability-negotiation": NO_TASKS,
    "tasks-dispatch-and-envelope": NO_TASKS,
    "tasks-lifecycle": NO_TASKS,
    "tasks-mrtr-composition": NO_TASKS,
    "tasks-mrtr-input": NO_TASKS,
    "tasks-request-headers": NO_TASKS,
    "tasks-request-state-removal": NO_TASKS,
    "tasks-required-task-error": NO_TASKS,
    "tasks-wire-fields": NO_TASKS,
  },
};

const api = await startApi();
const { key } = await api.createRootKey();
const handler = createMcpRoute(operations, (message, tools) => {
  const listChanged = false;
  const server = mcpServerFor(message, tools, {
    requestState,
    capabilities: {
      tools: { listChanged },
      prompts: { listChanged },
      resources: { listChanged, subscribe: true },
      logging: {},
      completions: {},
    },
  });
  addFixtures(server);
  addRoundTrips(server);
  return server;
});
// The suite sends no credentials: this proxy adds the key to every request.
const server = createHttpServer({
  baseUrl: "http://platform.test",
  handlers: {
    "/mcp": (request) =>
      handler({
        method: request.method,
        url: request.url,
        headers: { ...request.headers, authorization: `Bearer ${key}` },
        rawHeaders: [...request.rawHeaders, "authorization", `Bearer ${key}`],
        remoteAddress: request.remoteAddress,
        signal: request.signal,
        readBody: () => request.readBody(),
        cut: () => undefined,
        streamBody: () => request.streamBody(),
      }),
  },
});
const origin = `http://localhost:${await server.listen(0, "localhost")}`;
api.platform.settings.baseUrl = origin;
afterAll(() => server.close(1000));

test.each([
  ["2025-11-25", 33],
  ["2026-07-28", 50],
])("passes every scenario of %s that applies, of %i", async (requirements, count) => {
  const options = ["--url", `${origin}/mcp`, "--requirements", requirements];
  const scenarios = await runConformance("server", options);
  expect(scenarios.size).toBe(count);
  const unmet = [...scenarios].filter(
    ([, statuses]) => statuses.length === 0 || statuses.includes("FAILURE") || statuses.includes("WARNING"),
  );
  expect(unmet.map(([scenario]) => scenario).sort()).toEqual(
    Object.keys(NOT_APPLICABLE[requirements] as object),
  );
});
