import { heading, list, type Page, paragraph, samples } from "../page.ts";
import { curl } from "./curl.ts";
import { connect } from "./sdk.ts";

/** Returns the guide to delegating keys. */
export function delegationPage(baseUrl: string): Page {
  return {
    path: "/docs/delegation",
    title: "Delegation",
    lead: "A key with `api_keys:manage` creates narrower keys, which can create keys in turn, up to eight levels deep.",
    blocks: [
      heading("A narrower key"),
      paragraph(
        "A child has scopes, services, operations and limits within those of every key above it. A request for wider access is refused, and the error names it.",
      ),
      samples({
        sh: `CHILD=$(${curl(baseUrl, "POST /v1/api-keys", {
          body: {
            label: "Search worker",
            scopes: ["services:read", "services:invoke"],
            allowedServices: ["managed-memory"],
            allowedOperations: ["services.invoke.managed-memory.search", "actions.list"],
            limits: { "services.invoke": { requestsPerMinute: 60, maxConcurrent: 5, creditsPerDay: 500 } },
          },
        })})\nexport CHILD_KEY=$(jq -r .secret <<< "$CHILD") CHILD_ID=$(jq -r .apiKey.id <<< "$CHILD")`,
        ts: `${connect(baseUrl)}
const child = await platform.apiKeys.create({
  label: "Search worker",
  scopes: ["services:read", "services:invoke"],
  allowedServices: ["managed-memory"],
  allowedOperations: ["services.invoke.managed-memory.search", "actions.list"],
  limits: { "services.invoke": { requestsPerMinute: 60, maxConcurrent: 5, creditsPerDay: 500 } },
});
const worker = new Platform({ apiKey: child.secret, baseUrl: "${baseUrl}" });`,
      }),
      heading("What it may do, and why not more"),
      paragraph(
        "`GET /actions` explains the decision for every operation: the check that refuses it, and the key of the chain that fails the check.",
      ),
      samples({
        sh: `${curl(baseUrl, "GET /v1/actions?allowed=false&limit=1", { auth: "Authorization: Bearer $CHILD_KEY" })} | jq -e '.actions[0].deniedBy.check'`,
        ts: `const refused = await worker.actions.list({ allowed: "false", limit: 1 });
console.log(refused.items[0]?.deniedBy?.check);`,
      }),
      list([
        "`allowedServices` lists the services that it can use; `excludedServices` allows all services that exist now except those listed.",
        "`allowedOperations` is fixed when the key is created: the key cannot use operations that are added to the platform later.",
        "A limit counts every call of the key and of all keys below it. A child's own limit can only be lower.",
        "`projectId` or `endUser` binds a key and its descendants permanently.",
      ]),
      heading("Rotation"),
      paragraph(
        "Create the replacement with the parent of the old key, move your traffic, then revoke the old key. Revocation takes effect at once, for the key and all its descendants.",
      ),
      samples({
        sh: `${curl(baseUrl, "DELETE /v1/api-keys/$CHILD_ID")} | jq -e '.apiKey.status == "revoked"'`,
        ts: "console.log((await platform.apiKeys.revoke(child.apiKey.id)).apiKey.status);",
      }),
    ],
  };
}
