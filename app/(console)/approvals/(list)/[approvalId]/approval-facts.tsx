import { EndUserLink } from "#app/(console)/_shell/end-user-link.tsx";
import { ResourceLink } from "#app/(console)/_shell/resource-link.tsx";
import { PaidAmount, Recipient } from "#app/(console)/approvals/(list)/[approvalId]/payment.tsx";
import {
  type Approval,
  byPolicy,
  kinds,
  payingWalletOf,
  paymentOf,
  whoDecides,
  whyNeeded,
} from "#app/(console)/approvals/words.ts";
import { PayingWallet } from "#app/(console)/wallets/wallet-link.tsx";
import { Network } from "#components/networks.tsx";
import { routes } from "#components/routes.ts";
import { Copyable } from "#components/ui/copyable.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Facts } from "#components/ui/section.tsx";
import { ExactTime } from "#components/ui/time.tsx";

/** Shows the reason for the approval, its initiator, the requested action and the deadline. */
export function ApprovalFacts({ approval }: { approval: Approval }) {
  const { subject, approvers, runId, projectId, consumedAt } = approval;
  const walletId = payingWalletOf(approval);
  const facts = [
    { name: "Why it is asked", value: whyNeeded(approval) },
    { name: "Wallet", value: walletId && <PayingWallet walletId={walletId} /> },
    ...paymentFacts(approval),
    { name: "Asked by", value: <Requester approval={approval} /> },
    { name: byPolicy(approval) ? "The policy says" : "Reason given", value: approval.reason },
    { name: "Needs", value: whoDecides(approval) },
    {
      name: "Approvers",
      value: approvers?.map((id) => (
        <div key={id}>
          <ResourceLink id={id} />
        </div>
      )),
    },
    { name: "Kind", value: kinds.find(({ value }) => value === approval.kind)?.label },
    {
      name: "Operation",
      value: <code className="font-mono text-13">{`${subject.serviceId} ${subject.operationId}`}</code>,
    },
    { name: "About", value: subject.id && <ResourceLink id={subject.id} /> },
    { name: "Run", value: runId && <ResourceLink id={runId} /> },
    { name: "Project", value: projectId && <ResourceLink id={projectId} /> },
    { name: "End user", value: approval.endUser && <EndUserLink externalId={approval.endUser} /> },
    { name: "Asked", value: <ExactTime at={approval.createdAt} /> },
    { name: "Expires", value: <ExactTime at={approval.expiresAt} /> },
    { name: "Done", value: consumedAt && <ExactTime at={consumedAt} /> },
    { name: "Id", value: <Copyable value={approval.id} /> },
  ];
  return <Facts items={facts.filter(({ value }) => value)} />;
}

/** Returns the amount and recipient of a transaction's payment. */
function paymentFacts(approval: Approval) {
  const payment = paymentOf(approval);
  if (!payment) return [];
  return [
    { name: "Amount", value: <PaidAmount {...payment} /> },
    { name: "Recipient", value: <Recipient {...payment} /> },
    { name: "Network", value: <Network id={payment.network} /> },
  ];
}

function Requester({ approval: { requestedBy } }: { approval: Approval }) {
  if (requestedBy.type !== "key" || !requestedBy.id) return requestedBy.label;
  return (
    <>
      <TextLink href={routes.apiKeys.read(requestedBy.id)}>{requestedBy.label}</TextLink>
      <span className="block text-13">
        <TextLink href={routes.audit({ keyId: requestedBy.id })}>Everything this key did</TextLink>
      </span>
    </>
  );
}
