import { Countdown } from "#app/(console)/approvals/countdown.tsx";
import { type Approval, progressOf } from "#app/(console)/approvals/words.ts";
import { type AddressNames, NamedText } from "#components/address-names.tsx";
import type { Column } from "#components/table/column.ts";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

const whatBy = (names: AddressNames): Column<Approval> => ({
  header: "What",
  cell: ({ summary }) => <NamedText text={summary} names={names} />,
});
const askedBy: Column<Approval> = {
  header: "Asked by",
  cell: ({ requestedBy }) => requestedBy.label,
  width: "9rem",
};
const expires: Column<Approval> = {
  header: "Expires",
  cell: ({ expiresAt }) => <Countdown to={expiresAt} />,
  align: "end",
  width: "8.5rem",
};

/** Of what waits for a decision. */
export const waitingColumns = (names: AddressNames): Column<Approval>[] => [
  whatBy(names),
  askedBy,
  { header: "Approvals", cell: progressOf, align: "end", width: "6rem", minor: true },
  expires,
];

/** Of what may have been decided. */
export const historyColumns = (names: AddressNames): Column<Approval>[] => [
  whatBy(names),
  askedBy,
  { header: "Status", cell: ({ status }) => <Status value={status} />, width: "8rem" },
  {
    header: "Asked",
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    align: "end",
    width: "7rem",
  },
];
