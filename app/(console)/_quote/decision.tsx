import { Badge } from "#components/ui/status.tsx";
import type { PolicyDecision } from "#server/quotes/schema.ts";

/** A policy's decisions in words, the best first. */
export const decisions = {
  allow: { tone: "ok", text: "Allowed" },
  approval: { tone: "warn", text: "Needs an approval" },
  deny: { tone: "bad", text: "Denied" },
} as const;

/** Shows a policy's decision. */
export function Decision({ of: { decision } }: { of: PolicyDecision }) {
  return <Badge tone={decisions[decision].tone}>{decisions[decision].text}</Badge>;
}

/** Shows the reasons for the decision. */
export function Reasons({ of: { reasons } }: { of: PolicyDecision }) {
  if (reasons.length === 0) return null;
  return (
    <ul className="list-disc pl-5 text-13">
      {reasons.map((reason) => (
        <li key={reason} className="break-words">
          {reason}
        </li>
      ))}
    </ul>
  );
}
