import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";
import { type Asked, connectModel, type Scripted, startModelServer } from "#server/testing/model-server.ts";
import { createRun, runWith, startRuns, startWorkerProcess } from "#server/testing/runs.ts";

const PUT = "services.invoke.managed-memory.put";
const api = await startApi();

test("asks and acts once though its worker is killed between the model's call and the tool's, and while the model is asked", async () => {
  const { key } = await createPayingKey(api, 1000);
  const asked = Promise.withResolvers<void>();
  let hung = false;
  function answer({ body }: Asked): Scripted {
    const answered = body.messages.some(({ role }: { role: string }) => role === "tool");
    const task = body.messages[1].content;
    const file = { name: `${task}.txt`, mediaType: "text/plain", content: task };
    if (!answered)
      return {
        toolCalls: [
          { name: "write_artifact", arguments: file },
          { name: PUT.replaceAll(".", "_"), arguments: { input: { content: task } } },
        ],
      };
    if (task === "hang" && !hung) {
      hung = true;
      asked.resolve();
      return { hang: true };
    }
    return { text: "Kept." };
  }
  const endpoint = await startModelServer(answer);
  const connectionId = await connectModel(api, key, endpoint.baseUrl);
  const start = async (input: string, approveWrites: boolean) => {
    const run = await createRun(api, key, {
      serviceId: "managed-agents",
      operationId: "respond",
      input: { input, tools: ["write_artifact", PUT], approveWrites, connectionId },
    });
    return run.body.run.id;
  };
  const child = await startWorkerProcess(api, tmpdir(), 8);
  const waiting = await start("wait", true);
  const hanging = await start("hang", false);
  await runWith(api, key, waiting, "awaiting_approval");
  await asked.promise;
  child.kill("SIGKILL");

  const worker = await startRuns(api);
  const { approvals } = (await api.send("GET", "/v1/approvals?status=pending", { key })).body;
  expect(approvals).toHaveLength(1);
  const decision = { decision: "approve", payloadHash: approvals[0].payloadHash };
  await api.send("POST", `/v1/approvals/${approvals[0].id}`, { key, body: decision });
  for (const id of [waiting, hanging])
    expect((await runWith(api, key, id, "succeeded")).result.output).toBe("Kept.");
  const { memories } = (await invokeMemory(api, key, "list", {})).body.result;
  expect(memories.map(({ content }: { content: string }) => content).sort()).toEqual(["hang", "wait"]);
  const { artifacts } = (await api.send("GET", "/v1/artifacts", { key })).body;
  expect(artifacts.map(({ name }: { name: string }) => name).sort()).toEqual(["hang.txt", "wait.txt"]);
  // Two requests each; the unanswered one is repeated once.
  expect(endpoint.asked.map(({ body }) => body.messages[1].content).sort()).toEqual([
    "hang",
    "hang",
    "hang",
    "wait",
    "wait",
  ]);
  await Promise.all([worker.stop(), endpoint.stop()]);
});
