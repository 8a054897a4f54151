import { heading, list, type Page, paragraph, samples } from "../page.ts";
import { curl } from "./curl.ts";

/** Returns the guide from the sign-up to a first call. */
export function firstKeyPage(baseUrl: string): Page {
  const first = {
    label: "Backend",
    scopes: ["services:read", "services:invoke", "credits:read", "api_keys:manage", "approvals:write"],
  };
  return {
    path: "/docs/first-key",
    title: "First key",
    lead: "From an empty account to a useful call, in four commands.",
    blocks: [
      heading("Two ways to a key"),
      list([
        "In the console: [sign up](/sign-up), then create one under [API keys](/api-keys). It is valid for 30 days, or as long as you choose.",
        "With a credit token from an operator: it creates one key, which is valid until 30 days after its last use.",
      ]),
      paragraph("With a credit token in `CREDIT_TOKEN`, only this response contains the secret:"),
      samples({
        sh: `export API_KEY=$(${curl(baseUrl, "POST /v1/api-keys", {
          auth: "X-Service-Credit-Token: $CREDIT_TOKEN",
          body: first,
        })} | jq -r .secret)`,
        ts: `import { Platform } from "@managed-services/sdk";

const { secret } = await new Platform({ baseUrl: "${baseUrl}" }).apiKeys.create(
  {
    label: "${first.label}",
    scopes: ${JSON.stringify(first.scopes).replaceAll(",", ", ")},
  },
  { creditToken: process.env.CREDIT_TOKEN },
);
const platform = new Platform({ apiKey: secret, baseUrl: "${baseUrl}" });`,
      }),
      paragraph(
        "Store it with your backend's other secrets. It is never shown again. Never put it in a URL, a browser or an app. If the response is lost, repeating exactly the same request returns the same secret.",
      ),
      heading("What it may do"),
      samples({
        sh: `${curl(baseUrl, "GET /v1/actions?allowed=true&limit=100")} | jq -r '.actions[].operation'`,
        ts: `for await (const { operation } of platform.actions.list({ allowed: "true" })) console.log(operation);`,
      }),
      heading("A first call"),
      paragraph("Memory is one of the managed services. Store a memory, and find it again:"),
      samples({
        sh: `${curl(baseUrl, "POST /v1/services/managed-memory/invoke", {
          body: { operationId: "put", input: { name: "greeting", content: "Hello from the first key." } },
        })} | jq .`,
        ts: `const put = await platform.services.invoke("managed-memory", {
  operationId: "put",
  input: { name: "greeting", content: "Hello from the first key." },
});
console.log(put.result);`,
      }),
      samples({
        sh: `${curl(baseUrl, "POST /v1/services/managed-memory/invoke", {
          body: { operationId: "search", input: { query: "hello" } },
        })} | jq -e '.result.memories[0].name == "greeting"'`,
        ts: `const found = await platform.services.invoke("managed-memory", {
  operationId: "search",
  input: { query: "hello" },
});
console.log(found.result.memories[0]?.name);`,
      }),
      heading("What it cost"),
      samples({
        sh: `${curl(baseUrl, "GET /v1/credits/balance")} | jq -e .balance.availableCredits`,
        ts: "console.log((await platform.credits.balance.read()).availableCredits);",
      }),
      paragraph(
        "Next: [narrower keys](/docs/delegation) for each of your services, and [the use of an Idempotency-Key](/docs/idempotency).",
      ),
    ],
  };
}
