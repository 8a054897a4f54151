import { randomUUID } from "node:crypto";

const PROCESS = randomUUID();
let asked = 0;

/** Returns a random text that a query selects beside its rows, to prove that a response belongs to it. */
export function newEcho(): string {
  asked += 1;
  return `${PROCESS}-${asked}`;
}

/** A query received the response of another query; none of it is used. */
class ForeignAnswer extends Error {
  readonly code = "FOREIGN_ANSWER";

  constructor() {
    super("The database's answer is that of another query.");
  }
}

/** Returns the row if it contains the requested `echo`; throws otherwise. */
export function ownRow<Row extends { echo: string }>(row: Row | undefined, echo: string): Row {
  if (row?.echo !== echo) throw new ForeignAnswer();
  return row;
}

/** Returns the row of a query; if it is another query's, ends the connection with all its outstanding responses. */
export async function askOwnRow<Row extends { echo: string }>(
  query: PromiseLike<Row[]>,
  echo: string,
): Promise<Row> {
  const [row] = await query;
  if (row?.echo === echo) return row;
  const fault = new ForeignAnswer();
  // The patched driver's queries have their connection.
  const { connection } = query as { connection?: { expire(query: unknown, fault: Error): void } };
  connection?.expire(query, fault);
  throw fault;
}
