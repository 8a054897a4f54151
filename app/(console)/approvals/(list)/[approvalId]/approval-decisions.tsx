import { type Approval, progressOf } from "#app/(console)/approvals/words.ts";
import { Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

/** Who has decided what, and why. */
export function ApprovalDecisions({ approval }: { approval: Approval }) {
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
