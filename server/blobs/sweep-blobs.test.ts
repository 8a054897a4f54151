import { buffer } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { insertArtifact } from "#server/artifacts/queries.ts";
import { newId, newUuid } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { readBlob, writeBlob } from "./queries.ts";
import { reserveRoom } from "./room.ts";
import { sweepBlobs } from "./sweep-blobs.ts";

const api = await startApi();
const { db } = api.platform.database;

/** Not the present: the clocks of two cores may differ by some microseconds. */
const PAST = sql`clock_timestamp() - interval '1 second'`;

async function* content() {
  yield Buffer.from("hello");
}

test("sweeps a blob that nothing has kept in time, and no other", async () => {
  const { accountId } = await api.createAccount();
  const write = () => writeBlob(content(), { accountId, kind: "artifacts" });
  const [left, kept, fresh] = await Promise.all([write(), write(), write()]);
  const run = { id: newId("run"), accountId, projectId: null, endUserId: null, serviceId: "managed-memory" };
  const artifact = await db.transaction((tx) =>
    insertArtifact(tx, { run, name: "hello.txt", mediaType: "text/plain", blob: kept }),
  );
  expect(artifact).toMatchObject({
    runId: run.id,
    sizeBytes: 5,
    sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
  });
  await db.execute(sql`update loose_blobs set due_at = ${PAST} where key = ${left.key}::uuid`);
  expect(await sweepBlobs(db, api.platform.blobs)).toBe(1);
  await expect(readBlob(left.key)).rejects.toThrow("is not available");
  for (const { key } of [kept, fresh]) expect((await buffer(await readBlob(key))).toString()).toBe("hello");
});

test("records no artifact for a blob that was swept before", async () => {
  const { accountId } = await api.createAccount();
  const blob = await writeBlob(content(), { accountId, kind: "artifacts" });
  await db.execute(sql`update loose_blobs set due_at = ${PAST}`);
  await sweepBlobs(db, api.platform.blobs);
  const run = { id: newId("run"), accountId, projectId: null, endUserId: null, serviceId: "managed-memory" };
  const insert = db.transaction((tx) =>
    insertArtifact(tx, { run, name: "hello.txt", mediaType: "text/plain", blob }),
  );
  await expect(insert).rejects.toThrow("outlived an outage");
});

test("records no artifact for a blob that may be swept at any time", async () => {
  const { accountId } = await api.createAccount();
  const blob = await writeBlob(content(), { accountId, kind: "artifacts", minutes: 0 });
  const run = { id: newId("run"), accountId, projectId: null, endUserId: null, serviceId: "managed-memory" };
  const insert = db.transaction((tx) =>
    insertArtifact(tx, { run, name: "hello.txt", mediaType: "text/plain", blob }),
  );
  await expect(insert).rejects.toThrow("outlived an outage");
});

test("records no artifact for a blob whose sweep has begun, though its writer goes on", async () => {
  const { accountId } = await api.createAccount();
  const { blobs } = api.platform;
  const key = newUuid();
  const room = await reserveRoom(db, key, { accountId, kind: "artifacts" }, 0);
  await blobs.put(key, content());
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const sweeping = sweepBlobs(db, {
    ...blobs,
    async delete(each) {
      begun.resolve();
      await goOn.promise;
      await blobs.delete(each);
    },
  });
  await begun.promise;
  await room.prolong();
  expect(await room.settle(5, 60)).toBe(false);
  goOn.resolve();
  await sweeping;
  await expect(readBlob(key)).rejects.toThrow("is not available");
});

test("keeps a written blob for its time though its writer's last sign of life comes later", async () => {
  const { accountId } = await api.createAccount();
  const key = newUuid();
  const room = await reserveRoom(db, key, { accountId, kind: "artifacts" }, 0);
  await api.platform.blobs.put(key, content());
  expect(await room.settle(5, 60)).toBe(true);
  await room.prolong();
  await sweepBlobs(db, api.platform.blobs);
  expect((await buffer(await readBlob(key))).toString()).toBe("hello");
});
