import { heading, list, type Page, paragraph, shell } from "../page.ts";
import { curl } from "./curl.ts";

/** The guide to actions that wait for people. */
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
      shell(
        `${curl(baseUrl, "POST /v1/services/managed-memory/invoke", {
          body: { operationId: "put", input: { ...input, content: "Not needed any more." } },
        })} | jq -e .ok`,
      ),
      shell(
        `APPROVAL=$(${curl(baseUrl, "POST /v1/approvals/service-actions", {
          body: {
            serviceId: "managed-memory",
            operationId: "delete",
            input,
            reason: "The customer asked for it.",
          },
        })})\nexport APPROVAL_ID=$(jq -r .approval.id <<< "$APPROVAL") HASH=$(jq -r .approval.payloadHash <<< "$APPROVAL")\njq -r .approval.summary <<< "$APPROVAL"`,
      ),
      heading("Decide"),
      paragraph(
        "People do so in the [console](/approvals); a key with `approvals:write` by a call. The hash says what was looked at: what was not shown is not decided.",
      ),
      shell(
        `${curl(baseUrl, "POST /v1/approvals/$APPROVAL_ID", {
          body: { decision: "approve", reason: "Checked with the customer.", payloadHash: "$HASH" },
        })} | jq -e '.approval.status == "approved"'`,
      ),
      heading("Act"),
      paragraph("The same input, with the approval. Another input is refused; so is a second use."),
      shell(
        `${curl(baseUrl, "POST /v1/services/managed-memory/invoke", {
          body: { operationId: "delete", input, approvalId: "$APPROVAL_ID" },
        })} | jq -e .ok`,
      ),
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
