import { Check, TriangleAlert } from "lucide-react";
import type { PayloadCheck } from "#app/(console)/approvals/(list)/[approvalId]/use-payload-check.ts";
import type { Approval } from "#app/(console)/approvals/words.ts";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { Section } from "#components/ui/section.tsx";

/** Shows the exact payload and its hash. */
export function ApprovalPayload({ approval, check }: { approval: Approval; check: PayloadCheck }) {
  const { payload, payloadHash } = approval;
  return (
    <Section
      title="Payload"
      description="Exactly this is decided, and nothing else: a decision names the payload’s hash."
    >
      {payload === null || payload === undefined ? (
        <p className="text-muted">
          Not kept: the approval is settled, and the initiator’s privacy tier keeps no bodies.
        </p>
      ) : (
        <CodeBlock label="payload" code={JSON.stringify(payload, null, 2)} />
      )}
      <div className="flex min-w-0 flex-col gap-1 text-13">
        <span className="text-muted">SHA-256 of its RFC 8785 form</span>
        <Copyable value={payloadHash} full />
        {check === "matches" && (
          <span className="flex items-start gap-1.5 text-ok">
            <Check aria-hidden className="mt-0.5 size-4 shrink-0" />
            This browser has computed it anew: it is the hash of the payload above.
          </span>
        )}
        {check === "differs" && (
          <span role="alert" className="flex items-start gap-1.5 text-bad">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            This is not the hash of the payload above. Do not decide it, and have it looked into.
          </span>
        )}
      </div>
    </Section>
  );
}
