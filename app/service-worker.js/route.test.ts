import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { GET } from "#app/service-worker.js/route.ts";

type Handler = (event: object) => void;

/** Clicks on a notification of `/approvals` while these pages are open; returns what happened. */
async function click(urls: string[]): Promise<string[]> {
  const happened: string[] = [];
  const handlers = new Map<string, Handler>();
  const windows = urls.map((url) => ({ url, focus: () => happened.push(`focused ${url}`) }));
  const clients = {
    matchAll: async () => windows,
    openWindow: async (path: string) => happened.push(`opened ${path}`),
  };
  const addEventListener = (name: string, handler: Handler) => handlers.set(name, handler);
  runInNewContext(await GET().text(), { self: { addEventListener, clients }, URL, Response });
  let ended: unknown;
  handlers.get("notificationclick")?.({
    notification: { data: "/approvals", close: () => happened.push("closed") },
    waitUntil: (promise: unknown) => {
      ended = promise;
    },
  });
  await ended;
  return happened;
}

test("a click on a notification shows its page where it is open", async () => {
  const urls = ["https://console.test/runs", "https://console.test/approvals?status=any"];
  expect(await click(urls)).toEqual(["closed", "focused https://console.test/approvals?status=any"]);
});

test("a click on a notification opens its page beside others", async () => {
  expect(await click(["https://console.test/approvals/new"])).toEqual(["closed", "opened /approvals"]);
});
