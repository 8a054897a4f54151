import { heading, list, type Page, paragraph, samples } from "../page.ts";
import { curl } from "./curl.ts";
import { connect } from "./sdk.ts";

/** Returns the guide to actions that need approval. */
export function approvalsPage(baseUrl: string): Page {
  const input = { name: "draft" };
  return {
    path: "/docs/approvals",
    title: "Approvals",
    lead: "Grave actions wait until somebody has decided: about exactly this input, once.",
    blocks: [
      heading("What needs one"),
      paragraph(
        "A capability says `requiresApproval`. Wallets ask for one by their policy, workflows and agents where their definition says so. What is called without one answers 403 [approval_required](/docs/errors/approval_required), and nothing happens.",
      ),
      heading("Ask"),
      paragraph("Permanently deleting a memory is such an action. There is something to delete:"),
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
        "People do so in the [console](/approvals); a key with `approvals:write` by a call. The hash says what was looked at: what was not shown is not decided.",
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
      paragraph("The same input, with the approval. Another input is refused; so is a second use."),
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
        "An approver is a member with the keys that they made, or a key together with the keys above and below it. The same one counts once.",
        "A key that is younger than the approval decides nothing.",
        "One reject ends it. `expiresInSeconds` bounds how long it can be decided and used; a day by default.",
        "Webhooks announce `approval.requested`, `approval.decided` and `approval.expired`.",
      ]),
    ],
  };
}
