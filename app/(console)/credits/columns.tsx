import type { Column } from "#components/table/column.ts";
import { Count } from "#components/ui/amount.tsx";
import { inDigits } from "#components/ui/digits.ts";
import { TextLink } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

/** A movement as the statement shows it. */
export type Movement = {
  id: string;
  at: string;
  kind: "grant" | "purchase" | "adjustment" | "usage";
  description: string;
  amount: number;
  balanceAfter: number;
  requestId: string | null;
  receiptUrl: string | null;
};

const kinds = { grant: "Grant", purchase: "Purchase", adjustment: "Adjustment", usage: "Charge" };

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
  },
  { header: "Kind", cell: ({ kind }) => <Badge>{kinds[kind]}</Badge>, width: "8rem" },
  { header: "Credits", cell: ({ amount }) => <Change amount={amount} />, align: "end", width: "8rem" },
  {
    header: "Balance",
    cell: ({ balanceAfter }) => <Count value={balanceAfter} />,
    align: "end",
    width: "8rem",
  },
  { header: "When", cell: ({ at }) => <RelativeTime at={at} />, align: "end", width: "8rem" },
];

/** What came in has a plus and a colour, what went out a minus. */
function Change({ amount }: { amount: number }) {
  const shown = inDigits(Math.abs(amount));
  return (
    <span className={amount > 0 ? "text-ok tabular-nums" : "tabular-nums"}>
      {amount > 0 ? "+" : "−"}
      {shown}
    </span>
  );
}
