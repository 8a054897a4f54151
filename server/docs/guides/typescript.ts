import { code, heading, list, type Page, paragraph, shell } from "../page.ts";

/** Returns the guide to the SDK. */
export function typescriptPage(baseUrl: string): Page {
  return {
    path: "/docs/typescript",
    title: "TypeScript",
    lead: "A typed package for Node.js 20 and later, without dependencies. This installation serves the matching version.",
    blocks: [
      heading("Install"),
      shell(`npm install ${baseUrl}/clients/sdk.tgz`),
      heading("First calls"),
      paragraph(
        "Methods are the operations of this reference, by their ids. Ids of the path come first, then one object with the fields of body and query; you get the response's content without `ok`.",
      ),
      code(
        "ts",
        `import { Platform } from "@managed-services/sdk";

const platform = new Platform({ apiKey: process.env.API_KEY, baseUrl: "${baseUrl}" });

const project = await platform.projects.create({ name: "Web shop" });
console.log(await platform.projects.read(project.id));

for await (const one of platform.projects.list({ status: "active" })) console.log(one.name);
const page = await platform.projects.list({ limit: 10 });
console.log(page.items.length, page.nextCursor, await page.next());

const { requestId, chargedCredits, limits } = await platform.projects.read(project.id).withResponse();
console.log(requestId, chargedCredits, limits);`,
      ),
      paragraph(
        "The package is for your backend: it throws in browsers, sends keys only over https (http only to this machine), and never shows them in logs, errors or JSON.",
      ),
      heading("Nothing happens twice"),
      list([
        "Each write gets an `Idempotency-Key`, kept through its retries; `idempotencyKey` in the last argument sets your own.",
        "The SDK repeats a call at most twice: if it got no response, if the error is `retryable`, or after a gateway's 502, 503 or 504. It obeys `Retry-After` up to a minute.",
        "An `OutcomeUnknownError` or `ConnectionError` has `repeat()`: it sends the same call with the same key.",
      ]),
      code(
        "ts",
        `import { ApiError, ConnectionError, OutcomeUnknownError } from "@managed-services/sdk";

const settings = { idempotencyKey: "order-2027-0001", timeoutMs: 10_000, maxRetries: 4, endUser: "customer-81" };
try {
  await platform.projects.create({ name: "Orders" }, settings);
} catch (error) {
  if (error instanceof OutcomeUnknownError || error instanceof ConnectionError) await error.repeat();
  else if (error instanceof ApiError && error.code === "already_exists") console.log(error.requestId);
  else throw error;
}`,
      ),
      heading("Services and runs"),
      code(
        "ts",
        `const { result } = await platform.services.invoke("managed-memory", {
  operationId: "list",
  input: { tags: ["greeting"] },
});
console.log(result.memories);

const run = await platform.runs.create({ serviceId: "managed-memory", operationId: "export", input: {} });
for await (const entry of platform.runs.follow(run.id)) console.log(entry.type, entry.message);
console.log((await platform.runs.wait(run.id, { timeoutMs: 60_000 })).status);`,
      ),
      heading("Files"),
      paragraph(
        "A source is a path, a Blob, bytes, or a stream with its `size`. Checksums are compared in both directions, and an interrupted download resumes where it stopped.",
      ),
      code(
        "ts",
        `const file = await platform.files.create("invoice.pdf", {
  name: "invoice.pdf",
  contentType: "application/pdf",
});
await platform.files.download(file.id).toFile("copy.pdf");`,
      ),
      heading("Webhooks"),
      code(
        "ts",
        `import { verifyWebhook } from "@managed-services/sdk/webhooks";

export async function receive(request: Request): Promise<Response> {
  const secret = process.env.WEBHOOK_SECRET ?? "";
  const event = await verifyWebhook(await request.text(), request.headers, secret);
  if (event.type === "run.failed") console.log(event.data.run.error);
  return new Response(null, { status: 204 });
}`,
      ),
      heading("Credits by x402"),
      paragraph(
        "`payWith` takes any viem account, `payFromWallet` a [managed wallet](/docs/wallets.create). They sign no payment above `maxUsd`, and at most one per call.",
      ),
      code(
        "ts",
        `import { payWith } from "@managed-services/sdk/x402";
import { privateKeyToAccount } from "viem/accounts";

const account = privateKeyToAccount(process.env.PAYER_KEY as \`0x\${string}\`);
const payer = new Platform({
  apiKey: process.env.API_KEY,
  baseUrl: "${baseUrl}",
  payment: payWith(account, { maxUsd: 25 }),
});
console.log(await payer.credits.x402.topUp({ amountUsd: 25 }));`,
      ),
    ],
  };
}
