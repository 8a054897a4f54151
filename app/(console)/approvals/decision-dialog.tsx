"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Approval, whatApprovingDoes, whatRejectingDoes } from "#app/(console)/approvals/words.ts";
import { TextareaField } from "#components/form/text-fields.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { toast } from "#components/ui/toast.tsx";

const done: Record<string, string> = {
  approved: "Approved.",
  pending: "Your approval counts; others are still missing.",
  rejected: "Rejected.",
};

/** Says exactly what a decision will do, takes its reason, and makes it. Loaded when it is first opened. */
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
  const refresh = () => queries.invalidateQueries(trpc.approvals.pathFilter());
  const decide = useMutation(
    trpc.approvals.decide.mutationOptions({
      async onSuccess({ approval }) {
        await refresh();
        onOpenChange(false);
        toast(done[approval.status] ?? "Decided.");
      },
      // Somebody else may have been first.
      onError: refresh,
    }),
  );
  const { id: approvalId, payloadHash } = approval;
  const approves = decision === "approve";

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={approves ? "Approve this?" : "Reject this?"}
      action={approves ? "Approve" : "Reject"}
      danger={!approves}
      pending={decide.isPending}
      error={decide.error}
      onConfirm={() => decide.mutate({ approvalId, payloadHash, decision, ...(reason.trim() && { reason }) })}
    >
      <p className="font-medium">{approval.summary}</p>
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
