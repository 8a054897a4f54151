import { Agent, request as httpRequest } from "node:http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ID_PREFIXES, type IdKind, newId } from "#server/ids.ts";
import type { Operation } from "#server/operation/operation.ts";
import { apiOperations } from "#server/operations.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { makeThing, ownedParams } from "#server/testing/things.ts";
import { openApiDocument } from "#server/transports/openapi/document.ts";
import { createJudge, type FuzzAnswer, MOST_MS } from "./judge.ts";
import { type Caller, type Document, type FuzzRequest, requestsTo, resolveTokens } from "./requests.ts";

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 2000);
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
const CALLERS = 4;
const ID = new RegExp(`\\b(${Object.values(ID_PREFIXES).join("|")})_[0-7][0-9a-hjkmnp-tv-z]{25}\\b`, "g");
const KINDS = Object.fromEntries(
  Object.entries(ID_PREFIXES).map(([kind, prefix]) => [prefix, kind as IdKind]),
);
const MOST_KNOWN = 200;

const chain = await startTestChain();
const tenants = await startTenantCluster();
const api = await startApi({
  settings: { chains: [chain.settings], tenantClusters: [tenants.cluster], signupCredits: 1_000_000_000 },
});
const operations = apiOperations as readonly Operation[];
const document = openApiDocument(operations, "http://platform.test") as unknown as Document;
const judge = createJudge(document);
const agent = new Agent({ keepAlive: true });

const params = [...new Set(operations.flatMap(ownedParams))];
const root = await api.createRootKey();
const other = await api.createRootKey();
const child = await api.createChild(root.key, {
  scopes: ["projects:read", "files:read", "wallets:read", "runs:read"],
});
const revoked = await api.createChild(root.key);
await api.send("DELETE", `/v1/api-keys/${revoked.apiKey.id}`, { key: root.key });
const KEYS: Record<Caller, string | null> = {
  root: root.key,
  child: child.key,
  revoked: revoked.key,
  nobody: null,
};
/** What the requests themselves stand on, so that none of them may end it. */
const KEPT = new Set([root.apiKey.id, child.apiKey.id]);

const own = new Map<string, string[]>();
const foreign = new Map<string, string[]>();

function remember(pool: Map<string, string[]>, text: string): void {
  for (const [id, prefix = ""] of text.matchAll(ID)) {
    const ids = pool.get(prefix) ?? [];
    pool.set(prefix, ids);
    const known = ids.includes(id) || KEPT.has(id) || (pool === own && foreign.get(prefix)?.includes(id));
    if (!known && ids.length < MOST_KNOWN) ids.push(id);
  }
}

for (const param of params) {
  remember(own, await makeThing(api, root.key, param));
  remember(foreign, await makeThing(api, other.key, param));
}
const hidden = new Map<string, string[]>();
for (const param of params) remember(hidden, await makeThing(api, other.key, param));
for (const operation of operations.filter(({ method, path }) => method === "GET" && !path.includes("{")))
  remember(hidden, JSON.stringify((await api.send("GET", `/v1${operation.path}`, { key: other.key })).body));
/** Ids of another account that no request names, so that no answer may; those of examples are everybody's. */
const secretIds = new Set([...hidden.values()].flat());
for (const id of [...foreign.values()].flat()) secretIds.delete(id);
for (const [id] of JSON.stringify(document).matchAll(ID)) secretIds.delete(id);

function idOf(prefix: string, owner: string, pick: number): string {
  const pool = owner === "own" ? own.get(prefix) : owner === "foreign" ? foreign.get(prefix) : [];
  return pool?.length ? (pool[pick % pool.length] as string) : newId(KINDS[prefix] ?? "project");
}

/** As bytes of UTF-8, without what no client can send in a header. */
const headerText = (text: string) =>
  Buffer.from(text)
    .toString("latin1")
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, "");

/** The request with ids of what exists now in the place of its tokens. */
function resolved(request: FuzzRequest): FuzzRequest {
  const text = (value: string) => resolveTokens(value, idOf);
  return {
    ...request,
    target: text(request.target),
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, headerText(text(value))]),
    ),
    body: request.body === null ? null : text(request.body),
    input: text(request.input),
  };
}

/** The request that has a tool execute the operation. */
function asToolCall(request: FuzzRequest): FuzzRequest {
  const { operationId: operation, method, headers, input } = request;
  const name = method === "GET" ? "execute_read" : "execute_write";
  const args = { operation, input: JSON.parse(input), idempotencyKey: headers["idempotency-key"] };
  return {
    ...request,
    method: "POST",
    target: "/mcp",
    headers: {
      ...headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  };
}

function send({ method, target, caller, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
  const key = KEYS[caller];
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const sent = httpRequest(api.origin + target, {
      method,
      agent,
      headers: { ...headers, ...(key && { authorization: `Bearer ${key}` }) },
      signal: AbortSignal.timeout(2 * MOST_MS),
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      const parts: Buffer[] = [];
      response.on("error", reject);
      response.on("data", (part) => parts.push(part));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers["content-type"] ?? "",
          text: Buffer.concat(parts).toString(),
          ms: performance.now() - started,
        }),
      );
    });
    sent.end(
      body === null
        ? undefined
        : Buffer.from(body, headers["content-type"]?.includes("json") ? "utf8" : "latin1"),
    );
  });
}

function leakIn({ text }: FuzzAnswer): string | null {
  const leaked = [...text.matchAll(ID)].map(([id]) => id).find((id) => secretIds.has(id));
  return leaked ? `answers ${leaked}, which is another account's` : null;
}

const outcomes = new Map<string, number>();
const succeeded = new Set<string>();
/** One request for each way in which an operation broke a promise. */
const faults = new Map<string, string>();

async function check(made: FuzzRequest): Promise<void> {
  const request = resolved(made);
  const answer = await send(request.surface === "mcp" ? asToolCall(request) : request);
  const code = /\\?"code\\?":\\?"(\w+)/.exec(answer.text)?.[1];
  const outcome =
    `${request.surface} ${answer.status} ${answer.text.includes("error") ? (code ?? "") : ""}`.trim();
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  if (answer.status < 300 && request.surface === "api") succeeded.add(request.operationId);
  if (request.caller === "root" || request.caller === "child") remember(own, answer.text);
  const fault = judge(request, answer) ?? leakIn(answer);
  if (fault === null) return;
  const about = `${request.operationId} ${fault}`;
  if (!faults.has(about))
    faults.set(about, `${about}\n${JSON.stringify(request).slice(0, 3000)}\n${answer.text.slice(0, 2000)}`);
}

test(
  `keeps its promises to ${REQUESTS} requests of seed ${SEED}`,
  async () => {
    const requests = requestsTo(document);
    const numRuns = Math.ceil(REQUESTS / CALLERS);
    const callers = Array.from({ length: CALLERS }, (_, caller) =>
      fc.assert(fc.asyncProperty(requests, check), { numRuns, seed: SEED + caller }),
    );
    await Promise.all(callers);
    const unproven = operations.map(({ operationId }) => operationId).filter((id) => !succeeded.has(id));
    const counts = [...outcomes].sort(([, one], [, two]) => two - one);
    console.log(
      `Seed ${SEED}: ${counts.map(([outcome, count]) => `${outcome} ×${count}`).join(", ")}. Never succeeded: ${unproven.join(", ") || "none"}.`,
    );
    expect([...faults.values()]).toEqual([]);
  },
  60_000 + REQUESTS * 100,
);
