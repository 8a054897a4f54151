import { Countdown } from "#app/(console)/approvals/countdown.tsx";
import { type Approval, kindName, progressOf } from "#app/(console)/approvals/words.ts";
import { type AddressNames, NamedText } from "#components/address-names.tsx";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

const whatBy = (names: AddressNames): Column<Approval> => ({
  header: "Action",
  cell: ({ summary }) => <NamedText text={summary} names={names} />,
  csv: ({ summary }) => summary,
});
const kind: Column<Approval> = {
  header: "Kind",
  plain: true,
  cell: ({ kind }) => kindName(kind),
  csv: ({ kind }) => kind,
  optional: true,
  width: "8rem",
};
const askedBy: Column<Approval> = {
  header: "Asked by",
  cell: ({ requestedBy }) => requestedBy.label,
  csv: ({ requestedBy }) => requestedBy.label,
  width: "9rem",
};
const progress: Column<Approval> = {
  header: "Approvals",
  cell: progressOf,
  csv: progressOf,
  align: "end",
  width: "6rem",
  minor: true,
};
const expires: Column<Approval> = {
  header: "Expires",
  cell: ({ expiresAt }) => <Countdown to={expiresAt} />,
  csv: ({ expiresAt }) => expiresAt,
  align: "end",
  width: "8.5rem",
};
const asked: Column<Approval> = {
  header: "Asked",
  cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  csv: ({ createdAt }) => createdAt,
  sort: "createdAt",
  align: "end",
  width: "7rem",
};

/** The columns of pending approvals. */
export const waitingColumns = (names: AddressNames): Column<Approval>[] => [
  whatBy(names),
  kind,
  askedBy,
  progress,
  { ...asked, optional: true },
  expires,
  idColumn,
];

/** The columns of the history, which may include decided approvals. */
export const historyColumns = (names: AddressNames): Column<Approval>[] => [
  whatBy(names),
  kind,
  askedBy,
  { ...progress, optional: true },
  {
    header: "Status",
    cell: ({ status }) => <Status value={status} />,
    csv: ({ status }) => status,
    width: "8rem",
  },
  asked,
  idColumn,
];
