"use client";

import { useQuery } from "@tanstack/react-query";
import { ApprovalFacts } from "#app/(console)/approvals/(list)/[approvalId]/approval-facts.tsx";
import { ApprovalPayload } from "#app/(console)/approvals/(list)/[approvalId]/approval-payload.tsx";
import { PayloadFields } from "#app/(console)/approvals/(list)/[approvalId]/payload-fields.tsx";
import { usePayloadCheck } from "#app/(console)/approvals/(list)/[approvalId]/use-payload-check.ts";
import { Countdown } from "#app/(console)/approvals/countdown.tsx";
import { useImpact } from "#app/(console)/approvals/impact.tsx";
import { useDeciding } from "#app/(console)/approvals/use-deciding.tsx";
import { type Approval, barredFrom, payingWalletOf, progressOf } from "#app/(console)/approvals/words.ts";
import { NamedText, useAddressNames } from "#components/address-names.tsx";
import { Calls } from "#components/calls.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { inBrowser } from "#components/ui/in-browser.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Section } from "#components/ui/section.tsx";
import { SideModal } from "#components/ui/side-modal.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

const CarryOut = inBrowser(() =>
  import("#app/(console)/approvals/(list)/[approvalId]/carry-out.tsx").then(({ CarryOut }) => CarryOut),
);
/** Services whose actions are operations of the platform, which nobody invokes. */
const OWN = ["managed-wallets", "managed-database"];

interface Viewer {
  memberId: string;
  mayDecide: boolean;
}

/** An approval's panel: the requested action, the reason for it, and the decision. */
export function ApprovalPanel({ approvalId, viewer }: { approvalId: string; viewer: Viewer }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.approvals.read.queryOptions({ approvalId }));
  if (data) return <OpenApproval approval={data.approval} viewer={viewer} />;
  return (
    <SideModal title="Approval" parent={routes.approvals.list()} wide>
      <ErrorNotice what="The approval could not be loaded." error={error} />
      {!error && <Skeleton className="h-96" />}
    </SideModal>
  );
}

function OpenApproval({ approval, viewer }: { approval: Approval; viewer: Viewer }) {
  const deciding = useDeciding(approval);
  const names = useAddressNames([approval.summary]);
  const check = usePayloadCheck(approval);
  const impact = useImpact(approval);
  const decided = approval.decisions.find(({ by }) => by.id === viewer.memberId);
  const barred = viewer.mayDecide
    ? barredFrom(approval, viewer.memberId)
    : "Your role may look at it, and not decide it.";
  const offered = approval.status === "pending" && !barred && !decided && check !== "differs";
  return (
    <SideModal
      title="Approval"
      parent={routes.approvals.list()}
      wide
      footer={
        offered && (
          <>
            <Button onClick={() => deciding.ask("reject")}>Reject</Button>
            <Button variant="primary" onClick={() => deciding.ask("approve")}>
              Approve
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-2">
        <p className="flex flex-wrap items-center gap-2">
          <Status value={approval.status} />
          {approval.status === "pending" && (
            <span className="text-13 text-muted">
              Expires <Countdown to={approval.expiresAt} />
            </span>
          )}
        </p>
        <p className="break-words font-semibold text-16">
          <NamedText text={approval.summary} names={names} />
        </p>
        <NextStep approval={approval} barred={barred} decided={decided?.decision} />
      </div>
      {impact && <Section title="What it changes">{impact}</Section>}
      <ApprovalFacts approval={approval} />
      <TransactionCalls approval={approval} />
      <PayloadFields approval={approval} />
      <ApprovalDecisions approval={approval} />
      <ApprovalPayload approval={approval} check={check} />
      {deciding.dialog}
    </SideModal>
  );
}

/** Shows the next step, unless it is a decision by the viewer. */
function NextStep({
  approval,
  barred,
  decided,
}: {
  approval: Approval;
  /** Why the viewer may not decide it. */
  barred: string | null;
  decided: "approve" | "reject" | undefined;
}) {
  const { status, kind, subject, id } = approval;
  if (status === "pending" && decided)
    return <p>You have approved it. It waits for another approver, who must not be you or a key of yours.</p>;
  if (status === "pending" && barred) return <p>{barred}</p>;
  if (status !== "approved" || kind !== "service_action") return null;
  if (OWN.includes(subject.serviceId))
    return (
      <>
        <p>
          It may be done once, until it expires <Countdown to={approval.expiresAt} />: by a key, or here.
        </p>
        <CarryOut approval={approval} />
      </>
    );
  // An approved action is executed in the project in which it was requested.
  const asked = { approvalId: id, projectId: approval.projectId ?? undefined };
  const form = routes.services.operation(subject.serviceId, subject.operationId, asked);
  return (
    <p>
      It may be done once, until it expires <Countdown to={approval.expiresAt} />: by a key, or{" "}
      <TextLink href={form}>here</TextLink>.
    </p>
  );
}

/** Shows the calls of a pending transaction, argument by argument. */
function TransactionCalls({ approval }: { approval: Approval }) {
  const trpc = useTRPC();
  const walletId = payingWalletOf(approval) ?? "";
  const transactionId = approval.subject.id ?? "";
  const { data, error } = useQuery({
    ...trpc.wallets.transactions.read.queryOptions({ walletId, transactionId }),
    enabled: approval.kind === "transaction" && walletId !== "" && transactionId !== "",
  });
  if (error) return <ErrorNotice what="The calls of its transaction could not be read." error={error} />;
  return data ? <Calls calls={data.transaction.calls} /> : null;
}

/** Lists the decisions: who decided, how, and why. */
function ApprovalDecisions({ approval }: { approval: Approval }) {
  if (approval.decisions.length === 0) return null;
  return (
    <Section title="Decisions" description={`${progressOf(approval)} approvals given.`}>
      <ol aria-label="Decisions" className="flex flex-col rounded-md border">
        {approval.decisions.map(({ by, decision, reason, at }) => (
          <li key={by.id ?? at} className="flex flex-col gap-1 border-line px-3 py-2 not-last:border-b">
            <span className="flex flex-wrap items-center gap-2">
              <Status value={decision === "approve" ? "approved" : "rejected"} />
              <span className="min-w-0 break-words font-medium">{by.label}</span>
              <span className="text-13 text-muted">
                {by.type === "key" ? "API key" : "Person"}, <RelativeTime at={at} />
              </span>
            </span>
            {reason && <span className="whitespace-pre-wrap break-words">{reason}</span>}
          </li>
        ))}
      </ol>
    </Section>
  );
}
