import { kinds } from "#app/(console)/credits/queries.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { Count } from "#components/ui/amount.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { inDigits } from "#components/ui/digits.ts";
import { TextLink } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

/** A ledger entry as the statement shows it. */
type Movement = {
  id: string;
  at: string;
  kind: "grant" | "purchase" | "adjustment" | "usage";
  description: string;
  amount: number;
  balanceAfter: number;
  requestId: string | null;
  receiptUrl: string | null;
};

const kindOf = (kind: Movement["kind"]) => kinds.find(({ value }) => value === kind)?.label ?? kind;

export const columns: Column<Movement>[] = [
  {
    header: "Description",
    cell: ({ description, receiptUrl }) =>
      receiptUrl ? (
        <TextLink href={receiptUrl} target="_blank" prefetch={false}>
          {description}, receipt
        </TextLink>
      ) : (
        description
      ),
    csv: ({ description }) => description,
  },
  {
    header: "Kind",
    plain: true,
    cell: ({ kind }) => <Badge>{kindOf(kind)}</Badge>,
    csv: ({ kind }) => kind,
    width: "8rem",
  },
  {
    header: "Credits",
    cell: ({ amount }) => <Change amount={amount} />,
    csv: ({ amount }) => amount,
    align: "end",
    width: "8rem",
  },
  {
    header: "Balance",
    cell: ({ balanceAfter }) => <Count value={balanceAfter} />,
    csv: ({ balanceAfter }) => balanceAfter,
    align: "end",
    width: "8rem",
  },
  {
    header: "Request",
    cell: ({ requestId }) => requestId && <Copyable value={requestId} />,
    csv: ({ requestId }) => requestId,
    optional: true,
    width: "12rem",
  },
  {
    header: "When",
    plain: true,
    cell: ({ at }) => <RelativeTime at={at} />,
    csv: ({ at }) => at,
    sort: "createdAt",
    align: "end",
    width: "8rem",
  },
  idColumn,
];

/** Shows a credit with a plus sign and a colour, a debit with a minus sign. */
function Change({ amount }: { amount: number }) {
  const shown = inDigits(Math.abs(amount));
  return (
    <span className={amount > 0 ? "text-ok tabular-nums" : "tabular-nums"}>
      {amount > 0 ? "+" : "−"}
      {shown}
    </span>
  );
}
