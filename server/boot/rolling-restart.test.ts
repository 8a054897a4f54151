import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { startBalancer } from "#server/testing/balancer.ts";
import { startServer } from "#server/testing/server-process.ts";
import { freePort } from "./processes.ts";

const folder = mkdtempSync(join(tmpdir(), "rolling-restart-"));
const api = await startApi({ settings: { blobs: { folder } } });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("no call fails while two processes behind a balancer are restarted one after the other", async () => {
  const { key } = await api.createRootKey();
  const ports = [await freePort(), await freePort()];
  const start = (port: number) => startServer(api.databaseUrl, folder, "--port", String(port), "--drains");
  const servers = await Promise.all(ports.map(start));
  const balancer = await startBalancer(ports);
  const areHealthy = (expected: number[]) => expect.poll(() => balancer.healthy()).toEqual(expected);
  await areHealthy(ports);

  const statuses: number[] = [];
  let done = false;
  const callers = Array.from({ length: 8 }, async () => {
    while (!done) {
      const response = await fetch(`${balancer.origin}/v1/projects`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "idempotency-key": unique("call"),
        },
        body: JSON.stringify({ name: unique("project") }),
      });
      await response.arrayBuffer();
      statuses.push(response.status);
    }
  });
  for (const [nth, port] of ports.entries()) {
    const gone = once(servers[nth]?.child ?? process, "exit");
    servers[nth]?.child.kill("SIGTERM");
    await areHealthy(ports.filter((one) => one !== port));
    servers[nth]?.child.kill("SIGTERM");
    expect(await gone).toEqual([0, null]);
    await start(port);
    await areHealthy(ports);
  }
  const before = statuses.length;
  await expect.poll(() => statuses.length).toBeGreaterThan(before + 50);
  done = true;
  await Promise.all(callers);
  expect(new Set(statuses)).toEqual(new Set([201]));
});
