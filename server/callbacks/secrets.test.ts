import { afterAll, expect, test, vi } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { everyRow } from "#server/testing/every-row.ts";
import { startPeer } from "#server/testing/peer.ts";
import { runWith, startRuns } from "#server/testing/runs.ts";
import { waitsOf } from "#server/testing/sent-events.ts";
import { createStarter } from "#server/testing/workflows.ts";

const api = await startApi();
const worker = await startRuns(api);
afterAll(() => worker.stop());

test("keeps a callback's token out of logs, tables, events and everybody's answers", async () => {
  const written: string[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((line) => {
    written.push(String(line));
    return true;
  });
  const { root, start, connect, get } = await createStarter(api);
  const webhook = { url: "https://example.com/hook", events: ["*"] };
  await api.mustSend(201, "POST", "/v1/webhooks", { key: root, body: webhook });
  const peer = await startPeer(() => ({ status: 202 }));
  const id = await start({
    name: "Own code",
    steps: [
      {
        id: "work",
        type: "http",
        connectionId: await connect(peer.host),
        method: "POST",
        url: `${peer.origin}/jobs`,
        body: { url: "{% callback.url %}" },
        callback: { timeoutSeconds: 60 },
      },
    ],
  });
  await waitsOf(api, root, id);
  await expect.poll(() => peer.received).toHaveLength(1);
  const { pathname } = new URL(JSON.parse(defined(peer.received[0]).body).url);
  const post = async (path: string, body: string) => {
    const headers = { "content-type": "application/json" };
    return (await fetch(`${api.origin}${path}`, { method: "POST", headers, body })).status;
  };
  const statuses = [
    await post(pathname, "{"),
    await post(`${pathname}/more`, "{}"),
    await post(pathname, '{"progress":0.5}'),
  ];
  // Slow statements are logged by the database.
  await api.platform.database.client.begin(async (tx) => {
    await tx`lock table callbacks in access exclusive mode`;
    statuses.push(await post(pathname, '{"done":true}'));
  });
  statuses.push(await post(pathname, '{"done":true}'), await post(pathname, '{"done":false}'));
  expect(statuses).toEqual([400, 404, 200, 503, 200, 410]);
  await runWith(api, root, id, "succeeded");
  write.mockRestore();
  expect(written.join("")).toContain("A statement took too long.");

  const token = defined(pathname.split("/").at(-1));
  await expect.poll(async () => (await everyRow(api)).includes("run.succeeded")).toBe(true);
  const stored = await everyRow(api);
  const answers = await Promise.all([get(`/v1/runs/${id}`), get("/v1/audit-events"), get("/v1/runs")]);
  const places = [...written, stored, ...answers.map(({ body }) => JSON.stringify(body))];
  for (const encoding of ["utf8", "hex", "base64"] as const)
    for (const place of places) expect(place.includes(Buffer.from(token).toString(encoding))).toBe(false);
});
