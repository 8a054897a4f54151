import { once } from "node:events";
import { connect, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import { awaitDatabase } from "./await-database.ts";
import { freePort } from "./processes.ts";

test("a start waits for a database that accepts no connections yet", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { hostname, port } = new URL(database.url);
  const later = await freePort();
  const url = database.url.replace(`:${port}/`, `:${later}/`);
  let ready = false;
  const waiting = awaitDatabase(url, "DATABASE_URL").then(() => {
    ready = true;
  });
  await expect(awaitDatabase(url, "DATABASE_URL", 0)).rejects.toThrow("No PostgreSQL accepts connections");
  expect(ready).toBe(false);
  const server = createServer((client) => {
    client.pipe(connect(Number(port), hostname)).pipe(client);
  });
  await once(server.listen(later, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  await waiting;
});

test("names the setting, the address and the cause where nothing answers, or the sign-in is refused", async () => {
  const port = await freePort();
  const nowhere = awaitDatabase(`postgres://user:hidden@127.0.0.1:${port}/none`, "DATABASE_URL", 0);
  await expect(nowhere).rejects.toThrow(
    `No PostgreSQL accepts connections at 127.0.0.1:${port} (DATABASE_URL): connect ECONNREFUSED 127.0.0.1:${port}. Start it, or correct the address.`,
  );
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const missing = new URL(database.url);
  missing.pathname = "/no_such_database";
  await expect(awaitDatabase(missing.href, "DATABASE_DIRECT_URL")).rejects.toThrow(
    `PostgreSQL at ${missing.host} refuses DATABASE_DIRECT_URL: database "no_such_database" does not exist.`,
  );
});
