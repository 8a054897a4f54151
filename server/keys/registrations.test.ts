import { expect, test } from "vitest";
import { z } from "zod";
import type { Surface } from "#server/operation/declaration.ts";
import { operation } from "#server/operation/operation.ts";
import { startApi } from "#server/testing/api.ts";
import { createTestDatabase } from "#server/testing/database.ts";

const listHiddenProjects = (surfaces?: Surface[]) =>
  operation({
    id: "projects.hidden",
    method: "GET",
    path: "/hidden-projects",
    summary: "List hidden projects",
    scope: "projects:read",
    ...(surfaces && { surfaces }),
    output: z.object({}),
    handler: async () => ({}),
  });

test("keeps operations that were console-only out of reach of keys from before they were in the API", async () => {
  const database = await createTestDatabase();
  const before = await startApi({ database, extra: [listHiddenProjects(["console"])] });
  const old = await before.createRootKey();
  const after = await startApi({
    database: { url: database.url, drop: () => null },
    extra: [listHiddenProjects()],
  });
  const refused = await after.send("GET", "/v1/hidden-projects", { key: old.key });
  expect(refused.body.error).toMatchObject({
    status: 403,
    code: "operation_not_allowed",
    check: "operation",
    keyId: old.apiKey.id,
  });
  // A child has its parent's time, however late it is created.
  const child = await after.createChild(old.key);
  expect((await after.send("GET", "/v1/hidden-projects", { key: child.key })).status).toBe(403);
  const { key } = await after.createRootKey();
  expect((await after.send("GET", "/v1/hidden-projects", { key })).status).toBe(200);
});
