import { beforeEach } from "vitest";
import { defined } from "#server/base/defined.ts";
import type { Settings } from "#server/platform.ts";
import { startApi } from "./api.ts";
import { onCleanup } from "./cleanup.ts";
import { eventually } from "./eventually.ts";
import { type Asked, type Scripted, startModelServer } from "./model-server.ts";
import { createRun, runWith, startRuns } from "./runs.ts";

export const PUT = "services.invoke.managed-memory.put";
export const PUT_TOOL = "services_invoke_managed-memory_put";

/** A turn in which the model stores a memory. */
export const put = (content: string): Scripted => ({
  toolCalls: [{ name: PUT_TOOL, arguments: { input: { content } } }],
});

/** Returns the results of a run's tool calls so far, from its last request to the model. */
export const results = (asked: readonly Asked[]) =>
  defined(asked.at(-1))
    .body.messages.filter(({ role }: { role: string }) => role === "tool")
    .map(({ content }: { content: string }) => JSON.parse(content));

/** Starts the platform with a scripted model, until the test file ends. */
export async function startAgents({
  modelTimeoutSeconds = 60,
  settings = {},
}: {
  modelTimeoutSeconds?: number;
  settings?: Partial<Settings>;
} = {}) {
  let script: (asked: Asked) => Scripted = () => ({});
  /** The requests of the test so far. */
  const asked: Asked[] = [];
  const endpoint = await startModelServer((one) => {
    asked.push(one);
    return script(one);
  });
  const api = await startApi({
    settings: {
      ...settings,
      model: { baseUrl: endpoint.baseUrl, names: ["small", "large"], apiKey: "sk-operator" },
      modelTimeoutSeconds,
    },
  });
  const worker = await startRuns(api);
  onCleanup(() => Promise.all([worker.stop(), endpoint.stop()]));
  beforeEach(() => {
    asked.length = 0;
  });

  /**
   * Scripts the turns of a run: a repeated request gets the same turn again, and the last turn is repeated. A turn that
   * is a list has a response for each of its requests.
   */
  function turns(...list: (Scripted | readonly Scripted[])[]) {
    const requests = list.map(() => 0);
    script = ({ body }) => {
      const before = body.messages.filter(({ role }: { role: string }) => role === "assistant").length;
      const turn = Math.min(before, list.length - 1);
      const responses = [defined(list[turn])].flat();
      const nth = defined(requests[turn]);
      requests[turn] = nth + 1;
      return defined(responses[Math.min(nth, responses.length - 1)]);
    };
  }

  function start(key: string, input: Record<string, unknown>, more: Record<string, unknown> = {}) {
    return createRun(api, key, {
      serviceId: "managed-agents",
      operationId: "respond",
      input: { input: "Do it.", ...input },
      ...more,
    });
  }

  async function respond(key: string, input: Record<string, unknown> = {}, status = "succeeded") {
    const { body } = await start(key, input);
    return runWith(api, key, body.run.id, status);
  }

  async function memoriesOf(key: string) {
    const body = { operationId: "list", input: {} };
    const { result } = await api.mustSend(200, "POST", "/v1/services/managed-memory/invoke", { key, body });
    return result.memories.map(({ content }: { content: string }) => content);
  }

  /** Returns the pending approval, once there is one. */
  const pendingApproval = (key: string) =>
    eventually(async () => {
      const body = await api.mustSend(200, "GET", "/v1/approvals?status=pending", { key });
      return body.approvals[0];
    });

  return {
    api,
    endpoint,
    asked,
    turns,
    start,
    respond,
    memoriesOf,
    pendingApproval,
  };
}
