import { expect, test } from "vitest";
import type { ServiceDefinition } from "#server/services/service.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { createRun } from "#server/testing/runs.ts";
import { invokeWorkflows, startStored, storeWorkflow } from "#server/testing/stored-workflows.ts";
import { workflowsService } from "../service.ts";

test("refuses keys that were made before workflows could be stored", async () => {
  const database = await createTestDatabase();
  const service: ServiceDefinition = workflowsService;
  const { capabilities } = service;
  // As in an installation that existed before stored workflows and is restarted with them.
  service.capabilities = capabilities.filter(({ id }) => ["validate", "execute"].includes(id));
  const before = await startApi({ database });
  const old = await createPayingKey(before, 100);
  service.capabilities = capabilities;
  const api = await startApi({ database: { url: database.url, drop: () => null } });

  const workflow = { name: "Old", steps: [{ id: "pause", type: "wait", seconds: 3600 }] };
  const refused = { status: 403, code: "operation_not_allowed", check: "operation", keyId: old.apiKey.id };
  const child = await api.createChild(old.key);
  for (const key of [old.key, child.key]) {
    for (const operation of ["put", "get", "list", "archive", "restore"]) {
      const input = operation === "list" ? {} : { name: "old", ...(operation === "put" && { workflow }) };
      expect((await invokeWorkflows(api, key, operation, input)).body.error).toMatchObject(refused);
    }
    expect((await startStored(api, key, { name: "old" })).body.error).toMatchObject(refused);
  }
  const execute = { serviceId: "managed-workflows", operationId: "execute", input: { workflow } };
  expect((await createRun(api, old.key, execute)).status).toBe(202);
  const fresh = await createPayingKey(api, 100);
  await storeWorkflow(api, fresh.key, "old", workflow.steps);
  expect((await startStored(api, fresh.key, { name: "old" })).status).toBe(202);
});
