import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { openDatabase } from "#db/client.ts";
import { accounts } from "#db/schema/accounts.ts";
import { newId } from "#server/base/ids.ts";
import { createHttpServer } from "#server/boot/http/http-server.ts";
import { createDocsHandler } from "#server/docs/handle.ts";
import { createCreditToken } from "#server/keys/credit-tokens.ts";
import type { Operation } from "#server/operation/operation.ts";
import { operations } from "#server/operations.ts";
import type { Settings } from "#server/platform.ts";
import { routes } from "#server/routes.ts";
import { startPlatform } from "#server/start-platform.ts";
import { createHttpHandler } from "#server/transports/http.ts";
import { createMcpRoute } from "#server/transports/mcp.ts";
import { createSessionHandler } from "#server/transports/session.ts";
import { createTrpcHandler } from "#server/transports/trpc.ts";
import { onCleanup } from "./cleanup.ts";
import { createTestDatabase } from "./database.ts";
import { noteAnswer } from "./last-answers.ts";
import { createPooledDatabase } from "./pooler.ts";
import { testSettings } from "./settings.ts";

/** A response in the form that tests inspect. */
export interface Answered {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests state their expectations of a body by reading its fields.
  body: any;
}

export interface SendOptions {
  key?: string;
  body?: unknown;
  /** Raw bytes in place of a JSON body. */
  bytes?: Uint8Array;
  headers?: Record<string, string>;
  /** By default, a new key for every write. */
  idempotencyKey?: string | null;
}

let counter = 0;
/** Returns a value that no other call of this test run returns. */
export const unique = (name: string) => `${name}-${process.pid}-${++counter}`;

/**
 * Starts the platform on a database of its own behind a real HTTP server, until the test file ends. `extra`
 * operations are mounted beside the platform's.
 */
export async function startApi({
  extra = [],
  settings = {},
  database: given,
  trustedProxies = [],
}: {
  extra?: Operation[];
  settings?: Partial<Settings>;
  /** By default, a database of the test file in the test run's cluster; `directUrl` bypasses a pooler. */
  database?: { url: string; directUrl?: string; drop(): unknown };
  /** Proxies whose X-Forwarded-For is trusted, so that a test's calls can come from many addresses. */
  trustedProxies?: string[];
} = {}) {
  const next = inject("nextServer");
  const createDatabase = inject("pooled") ? createPooledDatabase : createTestDatabase;
  const database: typeof given =
    given ?? (next ? { url: next.databaseUrl, drop: () => null } : await createDatabase());
  const all = [...operations, ...extra];
  const folder = next?.blobs ?? mkdtempSync(join(tmpdir(), "test-blobs-"));
  const platform = await startPlatform(
    testSettings(folder, { signupCredits: 10_000, ...settings }),
    database.url,
    all,
    database.directUrl,
  );
  const served = all.filter((operation) => operation.surfaces.includes("api"));
  const handle = createHttpHandler(served);
  const docs = createDocsHandler(served);
  const server = createHttpServer({
    baseUrl: platform.settings.baseUrl,
    trustedProxies,
    handlers: {
      ...routes,
      "/v1": handle,
      "/health": handle,
      "/openapi.json": handle,
      "/mcp": createMcpRoute(all),
      "/api/bytes": createSessionHandler(all),
      "/api/trpc": createTrpcHandler(all),
      "/docs": docs,
      "/docs.md": docs,
      "/llms.txt": docs,
    },
  });
  // An installation on this machine is reached at its own addresses.
  const { hostname, port } = new URL(platform.settings.baseUrl);
  const listenAt = hostname === "127.0.0.1" ? Number(port) : 0;
  const direct = `http://127.0.0.1:${await server.listen(listenAt, "127.0.0.1")}`;
  const origin = next?.origin ?? direct;
  onCleanup(async () => {
    await server.close(1000);
    await platform.close();
    await database.drop();
    if (!next) rmSync(folder, { recursive: true, force: true });
  });

  const { send, sendPatiently, mustSend } = clientOf(origin);

  /** Creates an account with a credit token. */
  async function createAccount(): Promise<{ accountId: string; creditToken: string }> {
    const accountId = newId("account");
    const creditToken = await platform.database.db.transaction(async (tx) => {
      await tx.insert(accounts).values({ id: accountId, name: unique("Account") });
      return createCreditToken(tx, accountId);
    });
    return { accountId, creditToken };
  }

  /** Creates an account and its first key: with every scope, unless the body says otherwise. */
  async function createRootKey(body: Record<string, unknown> = {}) {
    const account = await createAccount();
    const { secret, apiKey } = await mustSend(201, "POST", "/v1/api-keys", {
      headers: { "x-service-credit-token": account.creditToken },
      body: { label: "Root", scopes: ALL_SCOPES, ...body },
    });
    return { ...account, key: secret as string, apiKey };
  }

  /** Creates a child of the key with this secret. */
  async function createChild(parent: string, body: Record<string, unknown> = {}) {
    const { secret, apiKey } = await mustSend(201, "POST", "/v1/api-keys", {
      key: parent,
      body: { label: "Child", scopes: ALL_SCOPES, ...body },
    });
    return { key: secret as string, apiKey };
  }

  return {
    origin,
    /** The server of this process; `origin` is that of `next start`. */
    direct,
    platform,
    send,
    sendPatiently,
    mustSend,
    createAccount,
    createRootKey,
    createChild,
    databaseUrl: database.url,
    open: () => openDatabase(database.url),
  };
}

/** Calls the platform at this address. */
export function clientOf(origin: string) {
  async function send(method: string, path: string, options: SendOptions = {}): Promise<Answered> {
    const { key, body, bytes, headers = {}, idempotencyKey } = options;
    const write = method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(write && idempotencyKey !== null && { "idempotency-key": idempotencyKey ?? unique("test-key") }),
        ...headers,
      },
      body: bytes ? (bytes as BodyInit) : body === undefined ? undefined : JSON.stringify(body),
    });
    const { status } = response;
    const call = `${method} ${path}`;
    // A stream may never end, but its headers show whether the call was admitted.
    if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
      await response.body?.cancel();
      noteAnswer(call, status, response.headers, null);
      return { status, headers: response.headers, body: "" };
    }
    const received = Buffer.from(await response.arrayBuffer());
    const answered = bodyOf(received, response.headers.get("content-disposition") !== null);
    noteAnswer(call, status, response.headers, answered);
    return { status, headers: response.headers, body: answered };
  }

  return { send, sendPatiently: patiently(send), mustSend: mustSendBy(send) };
}

type Send = (method: string, path: string, options?: SendOptions) => Promise<Answered>;

/** The messages if the platform's database, or a process for customers' code, was too slow or could not be reached. */
const BUSY = /^The platform's database \(DATABASE_URL\)|too busy to be waited for\.$|^No process that /;

/** Returns a `send` that repeats a call, as clients do, while a busy machine is too slow for it. */
function patiently(send: Send): Send {
  return async (method, path, options = {}) => {
    const call = { idempotencyKey: unique("test-key"), ...options };
    for (;;) {
      const answer = await send(method, path, call);
      if (answer.status !== 503 || !BUSY.test(answer.body.error.message)) return answer;
    }
  };
}

/**
 * Sends a call that must respond with this status, and returns its body. A busy machine may respond 503 first: the call
 * is then repeated, as clients do.
 */
function mustSendBy(send: Send) {
  return async (status: number, method: string, path: string, options: SendOptions = {}) => {
    const call = { idempotencyKey: unique("test-key"), ...options };
    let answer = await send(method, path, call);
    while (answer.status === 503) answer = await send(method, path, call);
    if (answer.status === status) return answer.body;
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  };
}

function bodyOf(answered: Buffer, isFile: boolean): unknown {
  if (isFile) return answered;
  return answered.length === 0 ? null : JSON.parse(answered.toString());
}

/** The specification's scopes, as a customer would write them. */
export const ALL_SCOPES = [
  "services:read",
  "services:invoke",
  "credits:read",
  "credits:write",
  "projects:read",
  "projects:write",
  "usage:read",
  "audit:read",
  "files:read",
  "files:write",
  "connections:read",
  "connections:write",
  "databases:read",
  "databases:write",
  "wallets:read",
  "wallets:create",
  "wallets:sign",
  "wallets:transact",
  "trading:read",
  "trading:execute",
  "runs:read",
  "runs:write",
  "approvals:read",
  "approvals:write",
  "artifacts:read",
  "webhooks:read",
  "webhooks:write",
  "api_keys:manage",
];
