import { heading, list, type Page, paragraph, samples } from "../page.ts";
import { curl } from "./curl.ts";
import { connect } from "./sdk.ts";

/** Returns the guide to actions that need approval. */
export function approvalsPage(baseUrl: string): Page {
  const input = { name: "draft" };
  return {
    path: "/docs/approvals",
    title: "Approvals",
    lead: "Critical actions wait for a person's decision, which is valid for exactly this input, once.",
    blocks: [
      heading("What needs one"),
      paragraph(
        "Capabilities with `requiresApproval` need one. Wallets need one if their policy says so, workflows and agents if their definition does. Such a call without an approval gets 403 [approval_required](/docs/errors/approval_required), and nothing happens.",
      ),
      heading("Ask"),
      paragraph("Permanently deleting a memory is such an action. First, store a memory to delete:"),
      samples({
        sh: `${curl(baseUrl, "POST /v1/services/managed-memory/invoke", {
          body: { operationId: "put", input: { ...input, content: "Not needed any more." } },
        })} | jq -e .ok`,
        ts: `${connect(baseUrl)}
await platform.services.invoke("managed-memory", {
  operationId: "put",
  input: { name: "draft", content: "Not needed any more." },
});`,
      }),
      samples({
        sh: `APPROVAL=$(${curl(baseUrl, "POST /v1/approvals/service-actions", {
          body: {
            serviceId: "managed-memory",
            operationId: "delete",
            input,
            reason: "The customer asked for it.",
          },
        })})\nexport APPROVAL_ID=$(jq -r .approval.id <<< "$APPROVAL") HASH=$(jq -r .approval.payloadHash <<< "$APPROVAL")\njq -r .approval.summary <<< "$APPROVAL"`,
        ts: `const input = { name: "draft" };
const approval = await platform.approvals.create({
  serviceId: "managed-memory",
  operationId: "delete",
  input,
  reason: "The customer asked for it.",
});
console.log(approval.summary);`,
      }),
      heading("Decide"),
      paragraph(
        "People decide in the [console](/approvals), a key with `approvals:write` by a call. The hash identifies the payload that was shown, so that nobody decides on a payload they have not seen.",
      ),
      samples({
        sh: `${curl(baseUrl, "POST /v1/approvals/$APPROVAL_ID", {
          body: { decision: "approve", reason: "Checked with the customer.", payloadHash: "$HASH" },
        })} | jq -e '.approval.status == "approved"'`,
        ts: `const decided = await platform.approvals.decide(approval.id, {
  decision: "approve",
  reason: "Checked with the customer.",
  payloadHash: approval.payloadHash,
});
console.log(decided.status);`,
      }),
      heading("Act"),
      paragraph(
        "Send the same input with the approval. A different input is refused, and so is a second use.",
      ),
      samples({
        sh: `${curl(baseUrl, "POST /v1/services/managed-memory/invoke", {
          body: { operationId: "delete", input, approvalId: "$APPROVAL_ID" },
        })} | jq -e .ok`,
        ts: `await platform.services.invoke("managed-memory", {
  operationId: "delete",
  input,
  approvalId: approval.id,
});`,
      }),
      heading("Who may decide"),
      list([
        "A member together with the keys that they created is one approver, and so is a key together with its ancestors and descendants. Each approver counts once.",
        "A key that was created after the approval cannot decide it.",
        "One rejection ends it. `expiresInSeconds` limits how long it can be decided and used; the default is a day.",
        "Webhooks are sent `approval.requested`, `approval.decided` and `approval.expired`.",
      ]),
    ],
  };
}
