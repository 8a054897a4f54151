"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ManyImpactProps } from "#app/(console)/approvals/many-impact.tsx";
import { payloadHashOf } from "#app/(console)/approvals/payload-hash.ts";
import {
  type Approval,
  areAlike,
  byPolicy,
  payingWalletOf,
  whatApprovingDoes,
  whatRejectingDoes,
} from "#app/(console)/approvals/words.ts";
import { WalletLink } from "#app/(console)/wallets/wallet-link.tsx";
import { TextareaField } from "#components/form/text-fields.tsx";
import { ManyDialog } from "#components/table/many-dialog.tsx";
import type { Outcome } from "#components/table/many-dialog-open.tsx";
import { SelectionBar } from "#components/table/selection-bar.tsx";
import type { Selection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { inBrowser } from "#components/ui/in-browser.tsx";
import { readProblem } from "#components/ui/problem.ts";
import { toast } from "#components/ui/toast.tsx";

const ManyImpact = inBrowser<ManyImpactProps>(() =>
  import("#app/(console)/approvals/many-impact.tsx").then(({ ManyImpact }) => ManyImpact),
);

type Decision = "approve" | "reject";

const verbs = { approve: "Approve", reject: "Reject" };
const decidedText = (decided: number, all: number) =>
  decided === all
    ? "Nothing that you chose waits for a decision any more."
    : `${decided} of the ${all} that you chose no longer ${decided === 1 ? "waits" : "wait"} for a decision.`;
const counted = (count: number) => (count === 1 ? "1 approval" : `${count} approvals`);

/** Approves or rejects the selected approvals, each by its own hash. */
export function DecideManyBar({ selection }: { selection: Selection<Approval> }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const [decision, setDecision] = useState<Decision | null>(null);
  const [reason, setReason] = useState("");
  const chosen = [...selection.chosen.values()];
  const [first] = chosen;
  const alike = areAlike(chosen);
  const asking = useMutation({ mutationFn: ask });

  /** Asks about the approvals as they are now: other people may have decided some since they were selected. */
  async function ask(decision: Decision) {
    const now = await Promise.all(
      chosen.map(({ id }) =>
        queries.fetchQuery({ ...trpc.approvals.read.queryOptions({ approvalId: id }), staleTime: 0 }),
      ),
    );
    const approvals = now.map(({ approval }) => approval);
    const pending = approvals.filter(({ status }) => status === "pending");
    const decided = approvals.length - pending.length;
    if (decided > 0) toast(decidedText(decided, approvals.length));
    selection.choose(approvals, false);
    selection.choose(pending, true);
    if (pending.length > 0 && areAlike(pending)) setDecision(decision);
  }

  /** Decides one after the other, because each decision may use up part of a cap that the next is checked against. */
  async function decideAll(decision: Decision, report: (id: string, outcome: Outcome) => void) {
    for (const approval of chosen) {
      const problem = await decide(approval, decision).catch(
        (reason: unknown) => readProblem(reason).message,
      );
      report(approval.id, { problem });
    }
  }

  async function decide({ id, payload, payloadHash }: Approval, decision: Decision): Promise<string | null> {
    const hash = await payloadHashOf(payload);
    if (hash !== null && hash !== payloadHash)
      return "The shown request does not match the hash of the decision. Nothing was decided.";
    await client.approvals.decide.mutate({
      approvalId: id,
      payloadHash,
      decision,
      ...(reason.trim() && { reason }),
    });
    return null;
  }

  async function close(done: string[] | null) {
    setDecision(null);
    if (!done) return;
    setReason("");
    selection.drop(done);
    await queries.invalidateQueries(trpc.approvals.pathFilter());
  }

  return (
    <>
      <SelectionBar selection={selection}>
        {(["approve", "reject"] as const).map((one) => (
          <Button
            key={one}
            size="sm"
            variant={one === "reject" ? "danger" : "secondary"}
            disabled={!alike}
            onClick={() => asking.mutate(one)}
            pending={asking.isPending && asking.variables === one}
          >
            {`${verbs[one]} ${counted(chosen.length)}`}
          </Button>
        ))}
        <ErrorNotice what="The approvals could not be read." error={asking.error} />
        {!alike && <span className="text-muted">Only those that ask for the same are decided together.</span>}
      </SelectionBar>
      {decision && first && (
        <ManyDialog
          title={`${verbs[decision]} ${counted(chosen.length)}?`}
          verb={verbs[decision]}
          danger={decision === "reject"}
          items={chosen.map((approval) => ({
            id: approval.id,
            name: approval.summary,
            note: <Note approval={approval} />,
          }))}
          act={(_, report) => decideAll(decision, report)}
          onClose={close}
        >
          <p>
            Each is decided by itself, with the hash of its shown request. For each:{" "}
            {decision === "approve" ? whatApprovingDoes(first) : whatRejectingDoes(first)}
          </p>
          {decision === "approve" && byPolicy(first) && <ManyImpact approvals={chosen} />}
          <TextareaField
            name="reason"
            label="Reason for each"
            optional
            rows={2}
            value={reason}
            onChange={setReason}
            error={undefined}
          />
        </ManyDialog>
      )}
    </>
  );
}

/** Shows the initiator, the paying wallet, and the hash that is decided. */
function Note({ approval }: { approval: Approval }) {
  const { requestedBy, payloadHash } = approval;
  const walletId = payingWalletOf(approval);
  return (
    <>
      {requestedBy.label}
      {walletId && (
        <>
          , from <WalletLink walletId={walletId} />
        </>
      )}
      , <span className="font-mono">{payloadHash.slice(0, 12)}…</span>
    </>
  );
}
