import postgres from "postgres";

/** Returns true if the server at this address responds to a query. */
export async function acceptsConnections(url: string): Promise<true | undefined> {
  const sql = postgres(url, { max: 1, connect_timeout: 1, backoff: false });
  try {
    await sql`select`;
    return true;
  } catch {
    return undefined;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
