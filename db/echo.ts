import { randomUUID } from "node:crypto";

const PROCESS = randomUUID();
let asked = 0;

/** What a query is asked to answer beside its rows, as no other query is: by that its answer is known to be its own. */
export function newEcho(): string {
  asked += 1;
  return `${PROCESS}-${asked}`;
}

/** The answer of another query came in the place of this one's; nothing of it is used. */
export class ForeignAnswer extends Error {
  readonly code = "FOREIGN_ANSWER";

  constructor() {
    super("The database's answer is that of another query.");
  }
}

/** The row, which says `echo` as it was asked to. */
export function ownRow<Row extends { echo: string }>(row: Row | undefined, echo: string): Row {
  if (row?.echo !== echo) throw new ForeignAnswer();
  return row;
}

/** The own row of a query; where it is another's, the connection is ended with everything that it has still to answer. */
export async function askOwnRow<Row extends { echo: string }>(
  query: PromiseLike<Row[]>,
  echo: string,
): Promise<Row> {
  const [row] = await query;
  if (row?.echo === echo) return row;
  const fault = new ForeignAnswer();
  // Mended, the driver's queries know theirs.
  const { connection } = query as { connection?: { expire(query: unknown, fault: Error): void } };
  connection?.expire(query, fault);
  throw fault;
}
