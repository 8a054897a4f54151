import { beforeEach } from "vitest";
import { defined } from "#server/base/defined.ts";
import type { Settings } from "#server/platform.ts";
import { startApi } from "./api.ts";
import { onCleanup } from "./cleanup.ts";
import { invokeMemory } from "./credits.ts";
import { eventually } from "./eventually.ts";
import { type Asked, type Scripted, startModelServer } from "./model-server.ts";
import { createRun, runWith, startRuns } from "./runs.ts";

export const PUT = "services.invoke.managed-memory.put";
export const PUT_TOOL = "services_invoke_managed-memory_put";

/** A turn in which the model stores a memory. */
export const put = (content: string): Scripted => ({
  toolCalls: [{ name: PUT_TOOL, arguments: { input: { content } } }],
});

/** Returns the results of a model's tool calls, from the request that carried them to the model. */
export const results = ({ body }: Asked) =>
  body.messages
    .filter(({ role }: { role: string }) => role === "tool")
    .map(({ content }: { content: string }) => JSON.parse(content));

/** Starts the platform with a scripted model, until the test file ends. */
export async function startAgents({
  modelTimeoutSeconds = 1,
  settings = {},
}: {
  modelTimeoutSeconds?: number;
  settings?: Partial<Settings>;
} = {}) {
  let script: (asked: Asked, nth: number) => Scripted = () => ({});
  /** The requests of the test so far. */
  const asked: Asked[] = [];
  const endpoint = await startModelServer((one) => script(one, asked.push(one) - 1));
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

  /** Returns one turn per request; repeats the last one. */
  function turns(...list: Scripted[]) {
    script = (_, nth) => defined(list[Math.min(nth, list.length - 1)]);
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
    const { body } = await invokeMemory(api, key, "list", {});
    return body.result.memories.map(({ content }: { content: string }) => content);
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
