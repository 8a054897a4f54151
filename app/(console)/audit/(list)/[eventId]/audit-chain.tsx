import { Count } from "#components/ui/amount.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { Facts, Section } from "#components/ui/section.tsx";
import type { AuditEvent } from "#server/audit/schema.ts";

/** The event's place in the account's hash chain. */
export function AuditChain({ event }: { event: AuditEvent }) {
  const { sequence, previousHash, hash } = event;
  return (
    <Section title="Hash chain">
      {sequence === null || previousHash === null || hash === null ? (
        <p className="text-muted">Not in the chain yet: each request is sealed within a second.</p>
      ) : (
        <Facts
          items={[
            { name: "Sequence", value: <Count value={sequence} /> },
            { name: "Previous hash", value: <Copyable value={previousHash} full /> },
            { name: "Hash", value: <Copyable value={hash} full /> },
          ]}
        />
      )}
    </Section>
  );
}
