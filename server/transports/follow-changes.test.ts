import { afterAll, expect, test } from "vitest";
import { openPool } from "#db/client.ts";
import { createChanges } from "#server/base/changes.ts";
import { startApi } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { createRun, startRuns } from "#server/testing/runs.ts";

const api = await startApi({ trustedProxies: ["127.0.0.1"] });
const worker = await startRuns(api);
const other = openPool(api.databaseUrl, 1);
afterAll(async () => {
  await worker.stop();
  await other.close();
});

/** Subscribes like an open page; returns the events one by one. Every connection begins with the first two. */
async function listen(cookie: string, since = Date.now()) {
  const input = encodeURIComponent(JSON.stringify({ since }));
  const response = await fetch(`${api.origin}/api/trpc/me.changes?input=${input}`, { headers: { cookie } });
  const reader = (response.body as ReadableStream<BufferSource>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = "";
  async function next() {
    for (;;) {
      const end = text.indexOf("\n\n\n");
      if (end >= 0) {
        const [event, data] = [/^event: (.*)$/m, /^data: (.*)$/m].map((field) =>
          field.exec(text.slice(0, end)),
        );
        text = text.slice(end + 3);
        return { event: event?.[1] ?? "message", data: JSON.parse(data?.[1] || "null") };
      }
      const { value, done } = await reader.read();
      if (done) return { event: "end", data: null };
      text += value;
    }
  }
  async function until(kind: string) {
    const kinds: string[] = [];
    while (!kinds.includes(kind)) kinds.push(...(await next()).data.kinds);
    return kinds;
  }
  const first = [await next(), await next()];
  return {
    headers: response.headers,
    first,
    next,
    until,
    leave: () => reader.cancel(),
  };
}

test("sends a page every change of its account, and none of another account", async () => {
  const ada = await signUpAndIn(api);
  const eve = await signUpAndIn(api);
  const [page, strange] = [await listen(ada.cookie, 0), await listen(eve.cookie)];
  expect(page.headers.get("content-type")).toBe("text/event-stream");
  expect(page.first[0]?.event).toBe("connected");
  expect(page.first[1]?.data.kinds).toContain("approvals");

  const { data } = await ada.mutate("apiKeys.create", {
    label: "Backend",
    scopes: ["runs:write", "services:invoke"],
  });
  await page.until("apiKeys");
  await createRun(api, data.secret, {
    serviceId: "managed-memory",
    operationId: "put",
    input: { content: "told" },
  });
  await page.until("runs");
  await eve.mutate("projects.create", { name: "Hers" });
  expect(await strange.until("projects")).not.toContain("runs");
  await Promise.all([page.leave(), strange.leave()]);
});

test("first sends the changes since the page was rendered, or all kinds if it does not know them", async () => {
  const ada = await signUpAndIn(api);
  const made = Date.now() + 1_500;
  expect((await listen(ada.cookie, made)).first[1]?.data.kinds).toEqual([]);
  await expect.poll(() => Date.now() > made).toBe(true);
  await ada.mutate("projects.create", { name: "Web shop" });
  const page = await listen(ada.cookie, made);
  expect(page.first[1]?.data.kinds).toEqual(["auditEvents", "projects"]);
  expect((await listen(ada.cookie, made - 120_000)).first[1]?.data.kinds).toContain("swaps");
  await page.leave();
});

test("publishes only a refused write's audit event", async () => {
  const { accountId } = await signUpAndIn(api);
  const [viewer, owner] = [
    await signInMember(api, accountId, "viewer"),
    await signInMember(api, accountId, "owner"),
  ];
  const page = await listen(owner.cookie);
  expect((await viewer.mutate("projects.create", { name: "No" })).status).toBe(403);
  expect(await page.until("auditEvents")).toEqual(["auditEvents"]);
  await page.leave();
});

test("publishes nothing for reads, even if they use POST", async () => {
  const ada = await signUpAndIn(api);
  const webhook = { url: "https://example.com/hooks", events: ["run.succeeded"] };
  const webhookId = (await ada.mutate("webhooks.create", webhook)).data.webhook.id;
  const page = await listen(ada.cookie);
  const check = await ada.mutate("webhooks.signature.check", { webhookId, headers: "none", body: "{}" });
  expect(check.status).toBe(200);
  await ada.mutate("projects.create", { name: "Web shop" });
  expect(await page.until("projects")).not.toContain("webhooks");
  await page.leave();
});

test("publishes changes of other processes", async () => {
  const ada = await signUpAndIn(api);
  const elsewhere = createChanges(other.client);
  const stopListening = await api.platform.changes.listen(api.databaseUrl);
  const page = await listen(ada.cookie);
  elsewhere.publish(ada.accountId, "swaps");
  expect(await page.until("swaps")).toEqual(["swaps"]);
  await page.leave();
  await stopListening();
});

test("ends with the session, and lets nobody listen without one", async () => {
  const ada = await signUpAndIn(api);
  const page = await listen(ada.cookie);
  const { sessions } = (await ada.query("me.sessions.list")).data;
  await ada.mutate("me.sessions.revoke", { sessionId: sessions[0].id });
  expect(await page.next()).toMatchObject({
    event: "serialized-error",
    data: { data: { error: { code: "unauthenticated" } } },
  });
  expect((await page.next()).event).toBe("end");
  const { first } = await listen(ada.cookie);
  expect(first[1]).toMatchObject({ event: "serialized-error", data: { data: { httpStatus: 401 } } });
});

test("ends when a member is removed", async () => {
  const { accountId, ...ada } = await signUpAndIn(api);
  const grace = await signInMember(api, accountId, "viewer");
  const page = await listen(grace.cookie);
  expect((await ada.mutate("members.delete", { memberId: grace.memberId })).status).toBe(200);
  expect((await page.next()).event).toBe("serialized-error");
});
