import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { exportAudit } from "#server/audit/export-audit.ts";
import { verifyExport } from "#server/audit/verify-export.ts";
import { idOf } from "#server/ids.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { createTestDatabase } from "#server/testing/database.ts";

const database = await createTestDatabase();
const api = await startApi({ database });
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
});

/** The platform as another process on the same database. */
async function startProcess() {
  const child = spawn(process.execPath, ["server/testing/serve.ts", database.url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  const [port] = await once(createInterface(child.stdout), "line");
  return { origin: `http://127.0.0.1:${port}`, child };
}

test("leaves no half-done effect when the server is killed in the middle of writes", async () => {
  const { key, accountId } = await api.createRootKey();
  const { origin, child } = await startProcess();
  const names = Array.from({ length: 200 }, () => unique("killed"));
  const create = (base: string, name: string) =>
    fetch(`${base}/v1/projects`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "idempotency-key": name,
        "content-type": "application/json",
      },
      body: JSON.stringify({ name, slug: name }),
    }).then((answer) => answer.status);

  let answered = 0;
  const first = names.map(async (name) => {
    const status = await create(origin, name).catch(() => null);
    if (status === 201) answered += 1;
    if (answered === 50) child.kill("SIGKILL");
    return status;
  });
  const before = await Promise.all(first);
  expect(before).toContain(null);

  // Each call is repeated elsewhere with its key: what was answered replays, what was not happens now, all once. A
  // claim of the dead process is taken over when its lease has run out.
  await api.platform.database
    .client`update idempotency_records set lease_until = now() where state = 'running'`;
  const after = await Promise.all(names.map((name) => create(api.origin, name)));
  expect(new Set(after)).toEqual(new Set([201]));
  const { client } = api.platform.database;
  const projects = await client`select id, slug from projects where slug = any(${names})`;
  expect(projects).toHaveLength(200);
  const recorded = await client`
    select distinct resource from audit_events where operation = 'projects.create' and outcome = 'allowed'`;
  const resources = new Set(recorded.map((row) => row.resource));
  expect(projects.filter((project) => !resources.has(idOf("project", project.id)))).toEqual([]);
  expect(await client`select from idempotency_records where state = 'running'`).toHaveLength(0);

  const { database, settings } = api.platform;
  const lines: string[] = [];
  for await (const line of exportAudit(database, settings.auditSigningKey, {
    accountId,
    from: null,
    to: null,
  }))
    lines.push(JSON.stringify(line));
  const [written] =
    await client`select count(*)::int as events from audit_events where operation <> 'apiKeys.create'`;
  expect(await verifyExport(lines)).toMatchObject({ accountId, first: 1, events: written?.events + 1 });
});
