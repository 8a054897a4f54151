import { createServer } from "node:http";
import type { Page, Request } from "@playwright/test";
import { portOf } from "../server/boot/processes.ts";

/** The server sends the changes of this time in one message. */
const GATHER_MS = 30;

/**
 * Has the next page receive a thousand changes of a kind of resource a second, in place of the server's own, and counts how
 * often it reads the list of them again.
 */
export async function floodChanges(page: Page, kind: string, list = `${kind}.list`) {
  let [began, sent, reads] = [0, 0, 0];
  const changes = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    began ||= Date.now();
    const timer = setInterval(() => {
      sent = Date.now() - began;
      response.write(`data: ${JSON.stringify({ at: Date.now(), kinds: [kind] })}\n\n`);
    }, GATHER_MS);
    response.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => changes.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${portOf(changes)}/`;
  await page.route(/me\.changes/, (route) => route.continue({ url }));
  const count = (request: Request) => {
    if (began > 0 && request.url().includes(list)) reads++;
  };
  page.on("request", count);
  return {
    sent: () => sent,
    reads: () => reads,
    /** A pause of 250 ms follows each time that the list is read again; typing reads it a few times more. */
    mostReads: () => (Date.now() - began) / 250 + 10,
    async stop() {
      // The page would follow the changes again.
      await page.goto("about:blank");
      page.off("request", count);
      await page.unroute(/me\.changes/);
      changes.closeAllConnections();
      changes.close();
    },
  };
}
