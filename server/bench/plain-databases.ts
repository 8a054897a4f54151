import { createServer } from "node:http";
import postgres from "postgres";
import { defined } from "../base/defined.ts";
import { portOf } from "../boot/processes.ts";

// A minimal handler for read access to a database: the query in a read-only transaction with a timeout, its rows as
// JSON. `node plain-databases.ts URL` accepts `{ sql, params }` and prints its port.
const sql = postgres(defined(process.argv[2]), { max: 5 });

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { sql: text, params } = JSON.parse(Buffer.concat(chunks).toString());
  const rows = await sql.begin("read only", async (transaction) => {
    await transaction`set local statement_timeout = 15000`;
    return transaction.unsafe(text, params, { prepare: true });
  });
  response.setHeader("content-type", "application/json").end(JSON.stringify({ rows }));
});
server.listen(0, "127.0.0.1", () => console.log(portOf(server)));
