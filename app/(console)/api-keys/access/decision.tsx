import { CircleCheck, CircleX } from "lucide-react";
import { Decider } from "#app/(console)/api-keys/[id]/decider.tsx";
import { LimitTable } from "#app/(console)/api-keys/[id]/limit-table.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";
import type { KeyDecision } from "#server/keys/access/schema.ts";

type Check = KeyDecision["checks"][number];

const NAMES: Record<Check["check"], string> = {
  key: "Keys of the chain",
  scope: "Scope",
  service: "Service boundary",
  operation: "Operation boundary",
  limit: "Limits",
};

const NOTHING: Record<Check["check"], string> = {
  key: "Neither revoked nor expired",
  scope: "None",
  service: "No service of its own",
  operation: "None",
  limit: "Room in every limit that covers it",
};

const WHY: Record<Check["check"], (needs: string | null) => string> = {
  key: () => "it is revoked or has expired",
  scope: (needs) => `it lacks the scope ${needs}`,
  service: (needs) => `the service ${needs} is outside its boundary`,
  operation: (needs) => `${needs} is outside its boundary of operations`,
  limit: () => "a limit of it is exhausted",
};

/** Shows the decision in a sentence, its checks, and the limits that the call counts against. */
export function Decision({ decision }: { decision: KeyDecision }) {
  const { checks, chain, limits } = decision;
  const columns: Column<Check>[] = [
    { header: "Check", cell: ({ check }) => NAMES[check] },
    { header: "Result", cell: ({ state }) => <Status value={state} />, width: "8rem" },
    {
      header: "Needs",
      cell: ({ check, needs }) =>
        needs ? (
          <span className="break-all font-mono">{needs}</span>
        ) : (
          <span className="text-muted">{NOTHING[check]}</span>
        ),
    },
    {
      header: "Decided by",
      cell: ({ state, keyId }) =>
        state === "not_reached" ? (
          <span className="text-muted">Nobody</span>
        ) : (
          <Decider keyId={keyId} chain={chain} />
        ),
      width: "12rem",
    },
  ];
  return (
    <>
      <Verdict decision={decision} />
      <DataTable label="Checks" columns={columns} rows={checks} rowId={({ check }) => check} empty={null} />
      {limits.length > 0 && (
        <Section
          title="Limits"
          description="The limits that the call counts on, of the key and of every key above it."
        >
          <LimitTable limits={limits} chain={chain} />
        </Section>
      )}
    </>
  );
}

function Verdict({ decision: { allowed, deniedBy, checks, chain } }: { decision: KeyDecision }) {
  const decider = chain.find(({ id }) => id === deniedBy?.keyId);
  const refusing = checks.find(({ check }) => check === deniedBy?.check);
  const Icon = allowed ? CircleCheck : CircleX;
  return (
    <p
      role="status"
      className={`flex min-w-0 gap-3 rounded-md border p-3 ${allowed ? "border-ok/40 bg-ok-soft" : "border-bad/40 bg-bad-soft"}`}
    >
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${allowed ? "text-ok" : "text-bad"}`} />
      <span className="min-w-0 break-words">
        {decider && refusing ? (
          <>
            <span className="font-medium">Refused</span> by{" "}
            <TextLink href={routes.apiKeys.read(decider.id)}>{decider.label}</TextLink>:{" "}
            {WHY[refusing.check](refusing.needs)}.
          </>
        ) : (
          <>
            <span className="font-medium">Allowed</span>:{" "}
            {chain.length === 1 ? "the key lets it through." : `all ${chain.length} keys let it through.`}
          </>
        )}
      </span>
    </p>
  );
}
