import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createDeflateRaw } from "node:zlib";
import autocannon from "autocannon";
import postgres from "postgres";
import { openDatabase } from "../../db/client.ts";
import { defined } from "../base/defined.ts";
import { newId } from "../base/ids.ts";
import { startTenantCluster } from "../testing/tenants.ts";
import { createKey } from "./create-key.ts";
import { postTo } from "./post-to.ts";
import { median } from "./report.ts";

// Measures queries of managed databases beside a plain handler of the same ones, and transfers beside a bare COPY:
// `node databases.ts DATABASE_URL` prints medians of alternating rounds as JSON.
const databaseUrl = defined(process.argv[2]);
const CONNECTIONS = 32;
const SECONDS = 4;
const ROUNDS = 3;
const ROWS = 500_000;
const COLUMNS = "id, customer, total, paid, at";
const SMALL = { sql: `select ${COLUMNS} from orders where id = $1`, params: ["4711"] };
const LARGE = { sql: `select ${COLUMNS} from orders order by id limit 10000`, params: [] };
const folder = mkdtempSync(join(tmpdir(), "bench-databases-"));
const children: ChildProcess[] = [];
const tenants = await startTenantCluster();

async function start(script: string, ...args: string[]): Promise<number> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [port] = await once(createInterface(child.stdout), "line");
  return Number(port);
}

/** Creates an account with a database, called with its root key. */
async function makeAccount(port: number) {
  const post = postTo(port);
  const { db, close } = openDatabase(databaseUrl, { handlers: 1 });
  const { headers } = await createKey(db, post, ["databases:read", "databases:write"]);
  await close();
  const call = (path: string, body: unknown) => post(path, headers, body);
  await call("/databases/account", {});

  async function sendPart(path: string, body: BodyInit) {
    const sent = { ...headers, "content-type": "application/zip", "idempotency-key": newId("request") };
    const answer = await fetch(`http://127.0.0.1:${port}/v1${path}`, { method: "PUT", headers: sent, body });
    if (!answer.ok) throw new Error(await answer.text());
  }

  async function read(path: string) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1${path}`, { headers });
    return answer.headers.get("content-type") === "application/zip"
      ? Buffer.from(await answer.arrayBuffer())
      : answer.json();
  }

  /** Waits until the transfer has ended. */
  async function ended(id: string) {
    for (;;) {
      const { transfer } = await read(`/databases/transfers/${id}`);
      if (["ready", "completed"].includes(transfer.status)) return;
      if (transfer.status === "failed") throw new Error(transfer.error.message);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return { ...headers, call, sendPart, read, ended };
}

async function rateOf(url: string, authorization: string, body: unknown): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({
    url,
    method: "POST",
    connections: CONNECTIONS,
    duration: SECONDS,
    body: JSON.stringify(body),
    headers: { authorization, "content-type": "application/json" },
  });
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refusals, ${errors} failures.`);
  return requests.total / SECONDS;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** Copies a database with PostgreSQL's own COPY, hashed and compressed like an archive. */
async function copyOut(url: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  const hash = createHash("sha256");
  const rows = await sql.unsafe("copy (select row_to_json(o) from orders o) to stdout").readable();
  async function* hashed(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const packed = createHash("sha256");
  const sink = new Writable({
    write(chunk, _, done) {
      packed.update(chunk);
      done();
    },
  });
  await pipeline(rows, hashed, createDeflateRaw({ level: 6 }), sink);
  await sql.end({ timeout: 5 });
}

try {
  const ours = await start(
    "../testing/processes/api-server.ts",
    databaseUrl,
    join(folder, "blobs"),
    tenants.url("postgres"),
    "--jobs",
  );
  const source = await makeAccount(ours);
  const target = await makeAccount(ours);
  const made = [
    "create table orders (id int8 primary key, customer text not null, total numeric(12,2), paid bool, at timestamptz)",
    `insert into orders select n, 'Customer ' || md5(n::text), n * 1.07, n % 3 = 0, '2027-01-01'::timestamptz + n * interval '7 seconds'
      from generate_series(1, ${ROWS}) n`,
    "analyze orders",
  ];
  const actions = made.map((sql) => ({ type: "sql", sql }));
  await source.call("/databases/actions", { actions, timeoutMs: 60_000 });
  const { rows } = await source.call("/databases/query", { sql: "select current_database()" });
  const plain = `http://127.0.0.1:${await start("plain-databases.ts", tenants.url(rows[0][0]))}`;
  const query = `http://127.0.0.1:${ours}/v1/databases/query`;
  const measures = Object.fromEntries(
    ["plainSmall", "small", "plainLarge", "large", "copy", "export", "import"].map((name) => [
      name,
      [] as number[],
    ]),
  ) as Record<string, number[]>;
  // A first round warms up both sides and does not count.
  for (let round = 0; round <= ROUNDS; round++) {
    const large = { ...LARGE, maxRows: 10_000 };
    const rates = {
      plainSmall: await rateOf(plain, "", SMALL),
      small: await rateOf(query, source.authorization, SMALL),
      plainLarge: await rateOf(plain, "", LARGE),
      large: await rateOf(query, source.authorization, large),
    };
    if (round === 0) continue;
    for (const [name, rate] of Object.entries(rates)) measures[name]?.push(rate);
  }
  for (let round = 0; round < ROUNDS; round++) {
    measures.copy?.push(await timed(() => copyOut(tenants.url(rows[0][0]))));
    let id = "";
    measures.export?.push(
      await timed(async () => {
        id = (await source.call("/databases/transfers", { direction: "export" })).transfer.id;
        await source.ended(id);
      }),
    );
    const bytes = await source.read(`/databases/transfers/${id}/archive`);
    const into = (await target.call("/databases/transfers", { direction: "import" })).transfer.id;
    await target.sendPart(`/databases/transfers/${into}/parts/1`, bytes);
    const parts = [{ partNumber: 1, sha256: createHash("sha256").update(bytes).digest("hex") }];
    measures.import?.push(
      await timed(async () => {
        await target.call(`/databases/transfers/${into}/complete`, { parts });
        await target.ended(into);
      }),
    );
    await target.call("/databases/actions", { actions: [{ type: "table.drop", table: "orders" }] });
  }
  console.log(
    JSON.stringify(Object.fromEntries(Object.entries(measures).map(([name, all]) => [name, median(all)]))),
  );
} finally {
  for (const child of children) child.kill("SIGKILL");
  await tenants.drop();
  rmSync(folder, { recursive: true, force: true });
}
