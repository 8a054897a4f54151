import { codeOf } from "#server/base/thrown.ts";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import { stream } from "../statement.ts";
import { unarchivableError } from "./refuse-unarchivable.ts";

const MB = 1_048_576;
/**
 * The most megabytes of definitions in an archive, as statements and as descriptions: an export collects both in memory.
 * Those of a thousand tables with twenty columns take 40 MB.
 */
const MAX_MB = 128;
/** The memory of a definition beside its texts. */
const ENTRY_BYTES = 200;
/** PostgreSQL's code for a value that is too long for its type. */
const TOO_LONG = "54000";

/** Yields the name and definition of each object that a query returns. One that no archive can hold is refused. */
export async function* readDefinitions(
  session: TenantSession,
  select: string,
): AsyncGenerator<[name: string, definition: string]> {
  // `offset 0` lets PostgreSQL write each definition once.
  const bounded = `
    select name, case when octet_length(definition) <= ${MAX_MB * MB} then definition end
    from (select name, definition from (${select}) written offset 0) definitions`;
  try {
    for await (const batch of stream(session, bounded, []))
      for (const [name, definition] of batch) {
        if (definition == null) throw tooMany(`${name}`);
        yield [`${name}`, definition];
      }
  } catch (reason) {
    throw codeOf(reason) === TOO_LONG
      ? unarchivableError("a definition that is too long for PostgreSQL to write it down")
      : reason;
  }
}

/** Returns a reader of definitions whose results are all kept, and so are bounded together. */
export function boundedReader(session: TenantSession) {
  let room = MAX_MB * MB;
  return async function* read(select: string): AsyncGenerator<[name: string, definition: string]> {
    for await (const [name, definition] of readDefinitions(session, select)) {
      room -= sizeOfDefinition(name, definition);
      if (room < 0) throw tooMany(name);
      yield [name, definition];
    }
  };
}

export type BoundedReader = ReturnType<typeof boundedReader>;

/** Returns the memory that a definition takes, in bytes. */
export const sizeOfDefinition = (name: string, definition: string): number =>
  Buffer.byteLength(name) + Buffer.byteLength(definition) + ENTRY_BYTES;

const tooMany = (name: string) =>
  unarchivableError(`${name}, with which all definitions together have more than ${MAX_MB} MB`);
