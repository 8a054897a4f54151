import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";

const api = await startApi();
const read = (key: string, id: string) => api.send("GET", `/v1/api-keys/${id}`, { key });

test("shows a key itself and its descendants, and no other key", async () => {
  const root = await api.createRootKey();
  const [left, right] = await Promise.all([api.createChild(root.key), api.createChild(root.key)]);
  const leaf = await api.createChild(left.key, { label: "Leaf" });

  const own = await read(left.key, left.apiKey.id);
  expect(own.status).toBe(200);
  expect(own.body).toMatchObject({
    apiKey: { id: left.apiKey.id, parentId: root.apiKey.id },
    ancestors: [],
    createdBy: null,
    branch: { live: 1, keys: [{ id: leaf.apiKey.id, label: "Leaf", depth: 2 }] },
  });
  expect(own.body.apiKey).not.toHaveProperty("secret");
  const ancestorsOf = async (key: string) =>
    (await read(key, leaf.apiKey.id)).body.ancestors.map(({ id }: { id: string }) => id);
  expect(await ancestorsOf(left.key)).toEqual([left.apiKey.id]);
  expect(await ancestorsOf(root.key)).toEqual([root.apiKey.id, left.apiKey.id]);
  expect(await ancestorsOf(leaf.key)).toEqual([]);

  for (const hidden of [root.apiKey.id, right.apiKey.id, (await api.createRootKey()).apiKey.id]) {
    const answer = await read(left.key, hidden);
    expect(answer.body.error).toMatchObject({ status: 404, code: "not_found" });
  }
});

test("shows a revoked key, and that nothing works below it", async () => {
  const { key } = await api.createRootKey();
  const { key: secret, apiKey } = await api.createChild(key);
  await api.createChild(secret);
  await api.send("DELETE", `/v1/api-keys/${apiKey.id}`, { key });
  expect((await read(key, apiKey.id)).body).toMatchObject({
    apiKey: { status: "revoked" },
    branch: { live: 0, keys: [] },
  });
});
