import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { Agent, request } from "undici";
import { newId } from "../base/ids.ts";

// The provider of `inbound.ts`: delivers as many events as a message requests, and answers with the milliseconds that
// each took, null if it was not accepted. A delivery's time begins when it was due, so that a slow response does not
// hide the delay of later ones.
const { addresses, secret, perSecond } = workerData as {
  addresses: string[];
  secret: string;
  perSecond: number;
};
const dispatcher = new Agent({ connections: 64, pipelining: 1 });
const body = JSON.stringify({ action: "opened", issue: { number: 7, body: "x".repeat(1000) } });
const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

async function deliver(nth: number, dueAt: number): Promise<number | null> {
  await sleep(Math.max(0, dueAt - performance.now()));
  const answer = await request(addresses[nth % addresses.length] ?? "", {
    method: "POST",
    dispatcher,
    body,
    headers: {
      "content-type": "application/json",
      "x-github-event": "issues",
      "x-github-delivery": newId("request"),
      "x-hub-signature-256": signature,
    },
  });
  await answer.body.dump();
  return answer.statusCode === 202 ? performance.now() - dueAt : null;
}

parentPort?.on("message", async (count: number) => {
  const began = performance.now();
  const deliveries = Array.from({ length: count }, (_, nth) =>
    deliver(nth, began + (nth * 1000) / perSecond),
  );
  parentPort?.postMessage(await Promise.all(deliveries));
});
