import type { Page } from "@playwright/test";

/** Returns the compressed bytes of the scripts that a page's document loads, without those loaded later. */
export async function scriptBytes(page: Page, path: string): Promise<number> {
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.setCacheDisabled", { cacheDisabled: true });
  const scripts = new Set<string>();
  let bytes = 0;
  client.on("Network.requestWillBeSent", ({ requestId, type, initiator }) => {
    if (type === "Script" && initiator.type === "parser") scripts.add(requestId);
  });
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto(path, { waitUntil: "load" });
  await client.detach();
  return bytes;
}
