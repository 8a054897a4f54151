import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "#server/base/defined.ts";
import { keysOf } from "#server/base/keys-of.ts";

const AGAIN_MS = 20;
/** Between two calls of a caller: callers without pauses would only take the processors from what they call. */
const PAUSE_MS = 50;
const PATIENCE_MS = 30_000;

/** A call as its caller saw it; each repeat is a separate call. */
export interface Attempt {
  /** The times of the request and of the response, by `performance.now()`. */
  began: number;
  at: number;
  status: number;
  code: string | undefined;
}

/** The writes that the platform has acknowledged, by unique names. */
export type Made = Record<"projects" | "memories" | "runs" | "keys" | "files", string[]>;

export const LOAD_SCOPES = [
  "api_keys:manage",
  "credits:read",
  "files:read",
  "files:write",
  "projects:read",
  "projects:write",
  "runs:read",
  "runs:write",
  "services:invoke",
  "webhooks:write",
];

const put = (content: string) => ({ operationId: "put", input: { content } });

/** The writes that callers take turns with, and the name in each response. */
const WRITES: Record<
  keyof Made,
  { path: string; headers?: (name: string) => object; body(name: string): object }
> = {
  projects: { path: "/v1/projects", body: (name) => ({ name }) },
  memories: { path: "/v1/services/managed-memory/invoke", body: put },
  runs: { path: "/v1/runs", body: (name) => ({ serviceId: "managed-memory", ...put(name) }) },
  keys: { path: "/v1/api-keys", body: (label) => ({ label, scopes: ["projects:read"] }) },
  files: {
    path: "/v1/files",
    headers: (name) => ({ "x-file-name": name, "content-type": "application/octet-stream" }),
    body: (name) => ({ name }),
  },
};

/**
 * Starts callers of one account that write and read until `stop`. They repeat refused calls that did not start, and
 * calls without a response, under the same idempotency key until they succeed.
 */
export function startLoad(
  origin: string,
  { accountId, key }: { accountId: string; key: string },
  callers: number,
) {
  const attempts: Attempt[] = [];
  const made: Made = { projects: [], memories: [], runs: [], keys: [], files: [] };
  const secrets: string[] = [];
  let stopped = false;

  async function call(path: string, name?: string) {
    const kind = name?.split("-")[0] as keyof Made | undefined;
    const write =
      kind && name ? { headers: WRITES[kind].headers?.(name), body: WRITES[kind].body(name) } : null;
    const began = performance.now();
    const response = await fetch(`${origin}${path}`, {
      method: write ? "POST" : "GET",
      headers: {
        authorization: `Bearer ${key}`,
        ...(write && {
          "idempotency-key": `load-${name}`,
          "content-type": "application/json",
          ...write.headers,
        }),
      },
      body: write ? JSON.stringify(write.body) : null,
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch((error: Error) => ({ status: 0, json: async () => ({ error: { code: error.name } }) }));
    const answer = await response.json();
    attempts.push({ began, at: performance.now(), status: response.status, code: answer.error?.code });
    return { status: response.status, answer };
  }

  async function write(kind: keyof Made, name: string) {
    for (;;) {
      const { status, answer } = await call(WRITES[kind].path, name);
      if (status >= 200 && status < 300) {
        made[kind].push(kind === "runs" ? answer.run.id : name);
        if (kind === "keys") secrets.push(answer.secret);
        return;
      }
      if (![0, 409, 502, 503].includes(status))
        throw new Error(`${kind}: ${status} ${JSON.stringify(answer)}`);
      await sleep(AGAIN_MS);
    }
  }

  const kinds = keysOf(WRITES);
  const loops = Array.from({ length: callers }, async (_, caller) => {
    for (let nth = 0; !stopped; nth++) {
      const kind = defined(kinds[(caller + nth) % kinds.length]);
      await write(kind, `${kind}-${accountId.slice(-8)}-${caller}-${nth}`);
      await call("/v1/projects?limit=5");
      await sleep(PAUSE_MS);
    }
  });

  return {
    accountId,
    key,
    attempts,
    made,
    /** The secrets of the created keys, for calls with them. */
    secrets,
    writes: () => Object.values(made).reduce((sum, { length }) => sum + length, 0),
    async stop() {
      stopped = true;
      await Promise.all(loops);
    },
  };
}

export type Load = ReturnType<typeof startLoad>;

/** Returns the milliseconds between the responses around refused calls; 0 if none was refused. */
export function refusedMs({ attempts }: Load): number {
  const refused = attempts.filter(({ status }) => status === 503);
  const [first, last] = [refused.at(0), refused.at(-1)];
  if (!first || !last) return 0;
  const next = attempts.find(({ at, status }) => at > last.at && status < 300);
  return (next ?? last).at - first.at;
}

/** Returns the calls that neither succeeded nor were refused before they started. */
export const failuresOf = ({ attempts }: Load) =>
  attempts.filter(({ status, code }) => status >= 300 && !(status === 503 && code === "service_unavailable"));
