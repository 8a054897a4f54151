import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";

interface Copying {
  reject(reason: unknown): void;
  writable(): Promise<Writable>;
}

/** Runs a COPY from this content. Throws what PostgreSQL says against it. */
export async function copyIn(
  { sql }: TenantSession,
  statement: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const query = sql.unsafe(statement) as unknown as Copying;
  // What PostgreSQL refuses once all has been sent the driver tells the query alone, which it has resolved already.
  const refused = new Promise<never>((_, reject) => {
    const tell = query.reject;
    query.reject = (reason) => {
      tell(reason);
      reject(reason);
    };
  });
  refused.catch(() => undefined);
  const target = await query.writable();
  await Promise.race([pipeline(Readable.from(content, { objectMode: false }), target), refused]);
}
