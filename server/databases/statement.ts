import postgres from "postgres";
import { invalid } from "#server/operation/errors.ts";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import { FIRST_TENANT_OID, type PgType, readTypes } from "#server/providers/tenants/types.ts";
import { countSlice } from "./result-turns.ts";
import { kindFault } from "./statement-kind.ts";
import { encodeValue } from "./values.ts";

/** A row in PostgreSQL's text format; null for NULL. */
export type Cells = (string | null)[];

/** A column of a result. */
export interface ResultColumn {
  name: string;
  type: PgType;
}

/** A prepared statement that has not run yet. */
export interface Statement {
  columns: ResultColumn[];
  /** Runs it and yields its rows; after the last one, `onEnd` gets the outcome. */
  batches(onEnd?: (outcome: StatementResult) => void): Batches;
  /**
   * Runs a statement without rows; returns the number of changed rows (null if it has no meaning) and the command tag.
   */
  run(): Promise<{ count: number | null; command: string }>;
}

/** PostgreSQL's result of a finished statement. */
export interface StatementResult {
  columns: { name: string; type: number }[];
  /** The types of its parameters. */
  types: number[];
  command: string;
  count: number;
}

/** The rows of a running statement. */
export type Batches = AsyncGenerator<Cells[], StatementResult>;

/** Parameters were encoded in a form that their types do not have, or their number was wrong. */
export class Misguessed extends Error {}

/** SQLSTATE for a wrong number of parameters. */
const OTHER_NUMBER = "08P01";
/** The characters of rows that wait to be processed; beyond them, PostgreSQL is paused. */
const MAX_WAITING = 32 * 1024;
/** The characters of a result beyond which each further part waits for its turn. */
const LONG_RESULT = 128 * 1024;

/** Runs a statement and yields its rows in batches. A reader that stops before the end breaks the connection. */
export async function* stream(session: TenantSession, text: string, params: readonly unknown[]): Batches {
  let rows: Cells[] = [];
  let waiting = 0;
  let read = 0;
  let wake: () => void = () => undefined;
  let outcome: StatementResult | undefined;
  let failure: { reason: unknown } | undefined;
  const options: postgres.UnsafeQueryOptions & { simple: false } = { simple: false };
  const query = session.sql.unsafe(text, params as never[], options).values();
  // The driver would wait for the parameters' types, and only then send the rest.
  Object.defineProperty(query, "describeFirst", { get: () => false, set: () => undefined });
  // The driver's types do not cover raw values row by row.
  const running = (query as unknown as ReturnType<postgres.Sql["unsafe"]>).forEach((row) => {
    const cells = row as unknown as Cells;
    if (rows.length === 0 && read > LONG_RESULT) countUntilRead();
    rows.push(cells);
    for (let place = 0; place < cells.length; place++) waiting += cells[place]?.length ?? 0;
    if (waiting > MAX_WAITING) session.pause();
    wake();
  });
  const ended = running.then(
    (result) => {
      const { columns, command, count, statement } = result as unknown as StatementResult & {
        statement: StatementResult;
      };
      outcome = { columns, command, count, types: statement.types };
      wake();
    },
    (reason) => {
      failure = { reason };
      wake();
    },
  );
  try {
    for (;;) {
      if (failure) throw failure.reason;
      if (rows.length > 0) {
        const batch = rows;
        read += waiting;
        rows = [];
        waiting = 0;
        session.resume();
        yield batch;
        if (!outcome && read > LONG_RESULT) await Promise.race([session.turn(), ended]);
      } else if (outcome) return outcome;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    // Its last part may have been too long to go on.
    if (outcome || failure) session.resume();
    else session.breakOff();
  }
}

/** Counts the time from now until the driver has parsed all that has arrived. */
function countUntilRead(): void {
  const startedAt = performance.now();
  queueMicrotask(() => countSlice(performance.now() - startedAt));
}

/** Refuses text that cannot be sent as a statement; `path` is its place in the body. */
export function refuseKind(text: string, path: string): void {
  const fault = kindFault(text);
  if (fault) throw invalid(path, fault);
}

/**
 * Prepares one statement and encodes its parameters by their types. `path` is its place in the body; its parameters are
 * beside it.
 */
export async function prepareStatement(
  session: TenantSession,
  text: string,
  params: readonly unknown[],
  path: string,
): Promise<Statement> {
  refuseKind(text, path);
  const described = await session.sql.unsafe(text).describe();
  const named = described.columns ?? [];
  const types = await typesOf(session, [...described.types, ...named.map(({ type }) => type)]);
  const beside = pathBeside(path);
  if (params.length !== described.types.length) {
    const text = `The statement takes ${described.types.length} parameters; ${params.length} were sent.`;
    throw invalid(beside, text);
  }
  const encoded = described.types.map((oid, place) =>
    encode(typeIn(types, oid), params[place], `${beside}.${place}`),
  );
  return {
    columns: columnsOf(named, types),
    async *batches(onEnd) {
      const outcome = yield* stream(session, text, encoded);
      onEnd?.(outcome);
      return outcome;
    },
    async run() {
      const { count, command } = await outcomeOf(stream(session, text, encoded));
      return { count: /^(INSERT|UPDATE|DELETE|MERGE|SELECT)$/.test(command) ? count : null, command };
    },
  };
}

async function outcomeOf(batches: Batches): Promise<StatementResult> {
  for (;;) {
    const next = await batches.next();
    if (next.done) return next.value;
  }
}

/** Returns the path of a statement's parameters in the body. */
const pathBeside = (path: string) => path.replace(/\w+$/, "params");

/**
 * Runs a statement and encodes its parameters before their types are known, in the form of most types. Throws
 * `Misguessed` in place of a result if that was wrong.
 */
export async function* guess(session: TenantSession, text: string, params: readonly unknown[]): Batches {
  if (params.some((value) => typeof value === "object" && value !== null)) throw new Misguessed();
  const isWrong = (types: ReadonlyMap<number, PgType>, oids: readonly number[]) =>
    params.some(
      (value, place) =>
        value !== null && encodeValue(typeIn(types, oids[place] ?? 0), value) !== String(value),
    );
  try {
    const sent = params.map((value) => (value === null ? null : String(value)));
    const outcome = yield* stream(session, text, sent);
    if (isWrong(await typesOf(session, outcome.types), outcome.types)) throw new Misguessed();
    return outcome;
  } catch (reason) {
    if (!(reason instanceof postgres.PostgresError)) throw reason;
    const { types = [] } = reason as { types?: number[] };
    const foreign = types.some((oid) => oid >= FIRST_TENANT_OID);
    throw reason.code === OTHER_NUMBER || foreign || isWrong(session.types, types)
      ? new Misguessed()
      : reason;
  }
}

function encode(type: PgType, value: unknown, path: string): string | null {
  try {
    return encodeValue(type, value);
  } catch (cause) {
    if (cause instanceof TypeError) throw invalid(path, cause.message);
    throw cause;
  }
}

/** Returns the types of these oids: the cluster's own, and others from the tenant's catalogue. */
async function typesOf(
  { sql, types }: TenantSession,
  oids: readonly number[],
): Promise<ReadonlyMap<number, PgType>> {
  const others = [...new Set(oids)].filter((oid) => oid >= FIRST_TENANT_OID);
  if (others.length === 0) return types;
  return new Map([...types, ...(await readTypes(sql, `t.oid in (${others.join(", ")})`))]);
}

function typeIn(types: ReadonlyMap<number, PgType>, oid: number): PgType {
  return types.get(oid) ?? { oid, name: "unknown", element: null, delimiter: "," };
}

function columnsOf(columns: StatementResult["columns"], types: ReadonlyMap<number, PgType>): ResultColumn[] {
  return columns.map(({ name, type }) => ({ name, type: typeIn(types, type) }));
}

/** Returns the columns of a finished statement, with their types. */
export async function resolveColumns(
  session: TenantSession,
  { columns }: StatementResult,
): Promise<ResultColumn[]> {
  return columnsOf(
    columns,
    await typesOf(
      session,
      columns.map(({ type }) => type),
    ),
  );
}

/** Returns the approximate size of a row in a response: its text, quotes and commas. */
export function sizeOfRow(row: Cells): number {
  let size = 2;
  for (let place = 0; place < row.length; place++) {
    const text = row[place] ?? null;
    size += text === null ? 5 : Buffer.byteLength(text) + 3;
  }
  return size;
}
