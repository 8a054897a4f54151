"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useImpact } from "#app/(console)/approvals/impact.tsx";
import {
  type Approval,
  payingWalletOf,
  whatApprovingDoes,
  whatRejectingDoes,
} from "#app/(console)/approvals/words.ts";
import { PayingWallet } from "#app/(console)/wallets/wallet-link.tsx";
import { NamedText, useAddressNames } from "#components/address-names.tsx";
import { TextareaField } from "#components/form/text-fields.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { exactTime } from "#components/ui/time-words.ts";
import { toast } from "#components/ui/toast.tsx";

const done: Record<string, string> = {
  approved: "Approved.",
  pending: "Your approval counts; others are still missing.",
  rejected: "Rejected.",
};

/** Returns the sentence that names who decided first; null while the approval is still pending. */
function earlierDecision({ status, decisions }: Approval) {
  const last = decisions.at(-1);
  if (status === "pending") return null;
  const settled =
    last && (status === "approved" || status === "rejected" || status === "consumed")
      ? `${last.by.label} ${last.decision === "approve" ? "approved" : "rejected"} it before you, on ${exactTime(last.at)}.`
      : `It is ${status} meanwhile.`;
  const message = `${settled} Your decision does not count.`;
  return { error: { code: "state_conflict", operationState: "not_started", message } };
}

/** Lists a decision's exact consequences, asks for a reason, and makes the decision. Loaded when it first opens. */
export function DecisionDialog({
  approval,
  decision,
  open,
  onOpenChange,
}: {
  approval: Approval;
  decision: "approve" | "reject";
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const names = useAddressNames([approval.summary]);
  const refresh = () => queries.invalidateQueries(trpc.approvals.pathFilter());
  const decide = useMutation(
    trpc.approvals.decide.mutationOptions({
      async onSuccess({ approval }) {
        await refresh();
        onOpenChange(false);
        toast(done[approval.status] ?? "Decided.");
      },
      // Somebody else may have decided first.
      onError: refresh,
    }),
  );
  const { id: approvalId, payloadHash } = approval;
  const approves = decision === "approve";
  const walletId = payingWalletOf(approval);
  const impact = useImpact(approval);

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={approves ? "Approve this?" : "Reject this?"}
      action={approves ? "Approve" : "Reject"}
      danger={!approves}
      pending={decide.isPending}
      error={decide.error && (earlierDecision(approval) ?? decide.error)}
      onConfirm={() => decide.mutate({ approvalId, payloadHash, decision, ...(reason.trim() && { reason }) })}
    >
      <p className="font-medium">
        <NamedText text={approval.summary} names={names} />
      </p>
      {walletId && (
        <div>
          <span className="text-muted">From</span> <PayingWallet walletId={walletId} />
        </div>
      )}
      {approves && impact}
      <p>{approves ? whatApprovingDoes(approval) : whatRejectingDoes(approval)}</p>
      <TextareaField
        name="reason"
        label="Reason"
        optional
        rows={2}
        value={reason}
        onChange={setReason}
        error={undefined}
      />
    </ConfirmDialog>
  );
}
