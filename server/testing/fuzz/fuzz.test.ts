import { writeFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import type { ErrorCode } from "#server/operation/errors.ts";
import { isPublic } from "#server/operation/operation.ts";
import { everyApiOperation } from "#server/operations.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createResource, ownedParams } from "#server/testing/resources.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { openApiDocument } from "#server/transports/openapi/document.ts";
import { createJudge, type FuzzAnswer, MAX_MS } from "./judge.ts";
import { DEAD, makeKeys } from "./keys.ts";
import { createKnown, ID } from "./known.ts";
import { type Document, type FuzzRequest, requestsTo, resolveTokens } from "./requests.ts";
import { fundWallet, prepare, UNREACHABLE, withExamples } from "./world.ts";

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 2000);
/** Fixed in a run of all tests: a fault found by another seed would not be due to the tested change. */
const SEED = Number(process.env.FUZZ_SEED ?? 41);
const { FUZZ_OPERATIONS, PROOF_REPORT } = process.env;
const CALLERS = 4;
/** The hash in the decision operation's example. */
const SHOWN_HASH = /9288f633[0-9a-f]{56}/;
/** The code of a failure if a component was unreachable or too slow. */
const COMPONENT_FAULT: ErrorCode = "service_unavailable";
const MAX_REPEATS = 3;
/** In a run of this many requests, each operation must have succeeded at least once. */
const ENOUGH = 50_000;

const chain = await startTestChain();
const tenants = await startTenantCluster();
const api = await startApi({
  settings: {
    chains: [chain.settings],
    tenantClusters: [tenants.cluster],
    signupCredits: 1_000_000_000,
    streams: { lifetimeMs: 300, waitMs: 300 },
  },
});
const operations = everyApiOperation;
const document = openApiDocument(operations, "http://platform.test") as unknown as Document;
const guarded = new Set(
  operations.filter((operation) => !isPublic(operation)).map(({ operationId }) => operationId),
);
const writing = new Set(
  operations.filter(({ idempotent }) => idempotent).map(({ operationId }) => operationId),
);
const judge = createJudge(document, operations);
const agent = new Agent({ keepAlive: true });

const params = [...new Set(operations.flatMap(ownedParams))];
const { keys: KEYS, root, kept } = await makeKeys(api);
const other = await api.createRootKey();
const known = createKnown(kept);
const { transfers, stop } = await prepare(api, root);
afterAll(stop);

for (const transfer of transfers) known.addOwn(transfer);
for (const param of params) {
  known.addOwn(await createResource(api, root.key, param));
  known.addForeign(await createResource(api, other.key, param));
}
const foreignIds = known.foreignIds();
const hidden: unknown[] = [];
for (const param of params) hidden.push(await createResource(api, other.key, param));
const listing = operations.filter(
  ({ method, path, stream }) => method === "GET" && !path.includes("{") && !stream,
);
for (const { path } of listing) hidden.push((await api.send("GET", `/v1${path}`, { key: other.key })).body);
const idsIn = (value: unknown) => [...JSON.stringify(value).matchAll(ID)].map(([id]) => id);
/** Ids of another account that no request contains, so no response may; ids in examples are public. */
const examples = new Set(idsIn(document));
const secretIds = new Set(idsIn(hidden).filter((id) => !foreignIds.has(id) && !examples.has(id)));

/** Encodes as bytes of UTF-8, without characters that no client can send in a header. */
const headerText = (text: string) =>
  Buffer.from(text)
    .toString("latin1")
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, "");

/** Returns the request with its tokens replaced by ids of existing resources. */
function resolved(request: FuzzRequest): FuzzRequest {
  const idOf = known.idsFor(request);
  const text = (value: string) =>
    resolveTokens(value, idOf).replace(SHOWN_HASH, (hash) => known.payloadHash() ?? hash);
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

/** Returns the request in which a tool executes the operation. */
function asToolCall(request: FuzzRequest): FuzzRequest {
  const { operationId: operation, headers, input } = request;
  const name = writing.has(operation) ? "execute_write" : "execute_read";
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
      signal: AbortSignal.timeout(2 * MAX_MS),
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

/**
 * Sends a request again if a component was too slow for it: a busy machine is at fault once or twice, and hostile input
 * each time.
 */
async function sendPatiently(request: FuzzRequest): Promise<FuzzAnswer> {
  for (let left = MAX_REPEATS; ; left--) {
    const answer = await send(request);
    if (left === 0 || !answer.text.includes(COMPONENT_FAULT)) return answer;
  }
}

/** Matches a refused run in a response about many runs, as JSON or as JSON inside a string. */
const REFUSED_RUN = /\\*"runId\\*":\\*"\w+\\*",\\*"ok\\*":false,.*?\}\}/g;

/** Returns a fault if a request for another account's resource found it. */
function foundForeign({ target, surface, input }: FuzzRequest, { status, text }: FuzzAnswer): string | null {
  if (status >= 300 || (surface === "mcp" && text.includes('"isError":true'))) return null;
  const named = surface === "api" ? defined(target.split("?")[0]) : input;
  const found = text.replace(REFUSED_RUN, "");
  const isForeign = (id: string) => foreignIds.has(id) && found.includes(id);
  return [...named.matchAll(ID)].some(([id]) => isForeign(id))
    ? "answers a resource of another account"
    : null;
}

/** Returns a fault if a caller without a valid key got more than public responses. */
function letIn({ caller, operationId, surface }: FuzzRequest, { status }: FuzzAnswer): string | null {
  if (!DEAD.has(caller) || status >= 300 || (surface === "api" && !guarded.has(operationId))) return null;
  return `answers ${status} to a key that is ${caller}`;
}

function leakIn({ text }: FuzzAnswer): string | null {
  const leaked = [...text.matchAll(ID)].map(([id]) => id).find((id) => secretIds.has(id));
  return leaked ? "answers an id of another account" : null;
}

const outcomes = new Map<string, number>();
const succeeded = new Set<string>();
/** How often each operation has returned each status or code to the account's own key. */
const results = new Map<string, Map<string, number>>();
/** One request for each way in which an operation broke a promise. */
const faults = new Map<string, string>();

async function check(made: FuzzRequest): Promise<void> {
  const request = resolved(made);
  const answer = await sendPatiently(request.surface === "mcp" ? asToolCall(request) : request);
  const code = /\\?"code\\?":\\?"(\w+)/.exec(answer.text)?.[1];
  const outcome =
    `${request.surface} ${answer.status} ${answer.text.includes("error") ? (code ?? "") : ""}`.trim();
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  if (request.surface === "api" && request.caller === "root") {
    const all = results.get(request.operationId) ?? new Map<string, number>();
    results.set(request.operationId, all.set(outcome, (all.get(outcome) ?? 0) + 1));
    if (answer.status < 300) succeeded.add(request.operationId);
  }
  if (request.caller === "root" || request.caller === "child")
    known.learn(request, answer.status, answer.text);
  if (answer.status === 201 && request.operationId === "wallets.create") await fundWallet(chain, answer.text);
  const fault =
    letIn(request, answer) ?? foundForeign(request, answer) ?? judge(request, answer) ?? leakIn(answer);
  if (fault === null) return;
  const about = `${request.operationId} ${fault}`;
  if (!faults.has(about))
    faults.set(about, `${about}\n${JSON.stringify(request).slice(0, 3000)}\n${answer.text.slice(0, 2000)}`);
}

const listed = (counts: ReadonlyMap<string, number>) =>
  [...counts]
    .sort(([, one], [, two]) => two - one)
    .map(([name, count]) => `${name} ×${count}`)
    .join(", ");

test(
  `keeps its promises to ${REQUESTS} requests of seed ${SEED}`,
  async () => {
    const requests = requestsTo(withExamples(document, chain), FUZZ_OPERATIONS?.split(","));
    const numRuns = Math.ceil(REQUESTS / CALLERS);
    const callers = Array.from({ length: CALLERS }, (_, caller) =>
      fc.assert(fc.asyncProperty(requests, check), { numRuns, seed: SEED + caller }),
    );
    await Promise.all(callers);
    const unproven = operations
      .map(({ operationId }) => operationId)
      .filter(
        (id) =>
          !succeeded.has(id) && (!FUZZ_OPERATIONS || FUZZ_OPERATIONS.includes(id)) && !UNREACHABLE.has(id),
      );
    console.log(`Seed ${SEED}: ${listed(outcomes)}.`);
    for (const id of unproven) console.log(`${id} never succeeded: ${listed(results.get(id) ?? new Map())}.`);
    if (REQUESTS >= ENOUGH)
      for (const id of unproven) faults.set(id, `${id} never succeeded in ${REQUESTS} requests.`);
    if (PROOF_REPORT) writeFileSync(PROOF_REPORT, JSON.stringify([...faults.values()]));
    expect([...faults.values()]).toEqual([]);
  },
  // A busy machine takes up to a third of a second for a request.
  60_000 + REQUESTS * 300,
);
