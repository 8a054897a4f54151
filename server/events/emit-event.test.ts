import { expect, test } from "vitest";
import type { Transaction } from "#db/client.ts";
import { newId } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { eventsKept, listen } from "#server/testing/events.ts";
import { emitEvent } from "./emit-event.ts";

const api = await startApi();
const { db } = api.platform.database;

async function createListener(state: Parameters<typeof listen>[2] = {}) {
  const { accountId } = await api.createAccount();
  await listen(api, accountId, state);
  return accountId;
}

function projectOf(accountId: string, id: string, description = "Orders") {
  const at = "2027-01-31T12:00:00.000Z";
  const project = { id, name: "Shop", slug: "shop", description, metadata: {}, status: "active" } as const;
  return (tx: Transaction) =>
    emitEvent(tx, {
      type: "project.updated",
      accountId,
      projectId: id,
      endUserId: null,
      resource: id,
      data: { project: { ...project, createdAt: at, updatedAt: at, archivedAt: null } },
    });
}

test("keeps an event with its change, numbered per resource, and none of a change that was undone", async () => {
  const accountId = await createListener();
  const [one, other] = [newId("project"), newId("project")];
  await db.transaction(projectOf(accountId, one));
  const undone = db.transaction(async (tx) => {
    await projectOf(accountId, one)(tx);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  await db.transaction(projectOf(accountId, other));
  await db.transaction(projectOf(accountId, one));
  expect(await eventsKept(api, accountId)).toMatchObject([
    {
      id: expect.stringMatching(/^whe_/),
      type: "project.updated",
      timestamp: expect.stringMatching(/\.\d{3}Z$/),
      apiVersion: "v1",
      sequence: 1,
      projectId: one,
      data: { project: { id: one, description: "Orders" } },
    },
    { sequence: 1, projectId: other },
    { sequence: 2, projectId: one },
  ]);
});

test("numbers events of one resource without a gap or a repeat while many change it at once", async () => {
  const accountId = await createListener();
  const id = newId("project");
  await Promise.all(Array.from({ length: 20 }, () => db.transaction(projectOf(accountId, id))));
  const numbers = (await eventsKept(api, accountId)).map(({ sequence }) => sequence);
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, nth) => nth + 1));
});

test("keeps nothing for an account that has no webhook, or has ended them all itself", async () => {
  const { accountId } = await api.createAccount();
  const ended = await createListener({
    status: "disabled",
    disabledReason: "manual",
    disabledAt: new Date(),
  });
  const broken = await createListener({
    status: "disabled",
    disabledReason: "failing",
    disabledAt: new Date(),
  });
  for (const id of [accountId, ended, broken]) await db.transaction(projectOf(id, newId("project")));
  expect(await eventsKept(api, accountId)).toEqual([]);
  expect(await eventsKept(api, ended)).toEqual([]);
  expect(await eventsKept(api, broken)).toHaveLength(1);
});

test("sends only id and status of a resource larger than 20 KB", async () => {
  const accountId = await createListener();
  const id = newId("project");
  await db.transaction(projectOf(accountId, id, "é".repeat(10_500)));
  await db.transaction(projectOf(accountId, id, "é".repeat(9_900)));
  const [cut, whole] = await eventsKept(api, accountId);
  expect(cut.data).toEqual({ id, status: "active", truncated: true });
  expect(whole.data.project.id).toBe(id);
  expect(Buffer.byteLength(JSON.stringify(whole))).toBeGreaterThan(20_000);
});

test("refuses an event that violates its schema, together with its change", async () => {
  const accountId = await createListener();
  const sent = db.transaction((tx) =>
    emitEvent(tx, {
      type: "project.created",
      accountId,
      projectId: null,
      endUserId: null,
      resource: "proj_x",
      data: { project: { id: "nonsense" } } as never,
    }),
  );
  await expect(sent).rejects.toThrow();
  expect(await eventsKept(api, accountId)).toEqual([]);
});
