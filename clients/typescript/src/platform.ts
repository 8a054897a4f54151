import {
  type Answer,
  type CallOptions,
  callOf,
  limitsOf,
  listOf,
  type Operation,
  type Page,
  pageOf,
  type Total,
} from "./call.ts";
import { Client, type PlatformOptions, type Received, type Request } from "./client.ts";
import { type Download, downloadOf } from "./download.ts";
import { PlatformError } from "./errors.ts";
import { type EventFilter, type FollowEventsOptions, followAccount } from "./events.ts";
import type { Api } from "./generated/api.ts";
import { OPERATIONS } from "./generated/operations.ts";
import type { FileId, Run, RunId } from "./generated/types.ts";
import { type FollowOptions, followRun, waitForRun } from "./runs.ts";
import { openSource, type Source } from "./upload.ts";

type Input = Record<string, unknown>;
type Method = (...args: never[]) => unknown;
type Methods = { [name: string]: Methods | Method };

/** The managed services platform: every operation of the API reference, by its id. */
export interface Platform extends Omit<Api, "files" | "runs"> {
  readonly files: Api["files"] & {
    /** Downloads a file. */
    download(fileId: FileId, options?: CallOptions): Download;
  };
  readonly runs: Api["runs"] & {
    /** Waits for the run's end; `timeoutMs` limits the whole wait. */
    wait(runId: RunId, options?: CallOptions): Promise<Run>;
  };
}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor creates every member of the interface.
export class Platform {
  readonly #client: Client;
  readonly #idleMs: number;

  constructor(options: PlatformOptions) {
    this.#client = new Client(options);
    this.#idleMs = options.timeoutMs ?? 60_000;
    const methods = this as unknown as Methods;
    for (const [id, operation] of Object.entries(OPERATIONS)) {
      const parts = id.split(".");
      const name = parts.pop() ?? "";
      let node = methods;
      for (const part of parts) {
        node[part] ??= {};
        node = node[part] as Methods;
      }
      node[name] = ((...args: unknown[]) => this.#call(operation, args)) as Method;
    }
    const read = (runId: string, input: { waitSeconds: number }, given: CallOptions) =>
      this.runs.read(runId, input, given);
    Object.assign(this.runs, {
      follow: (runId: string, given?: FollowOptions) =>
        followRun(this.#client, segment("runId", runId), given),
      wait: (runId: string, given?: CallOptions) => waitForRun(read, runId, given),
    });
    Object.assign(this.events, {
      follow: (filter?: EventFilter, given?: FollowEventsOptions) =>
        followAccount(this.#client, filter, given),
    });
    Object.assign(this.files, {
      download: (fileId: string, given: CallOptions = {}) =>
        this.#download({
          method: "GET",
          path: `/files/${encodeURIComponent(fileId)}`,
          headers: {},
          options: given,
        }),
    });
  }

  #call(operation: Operation, args: unknown[]): unknown {
    const rest = [...args];
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => segment(name, rest.shift()));
    const source = operation.upload && (rest.shift() as Source);
    const takesInput = operation.query || operation.body || operation.upload;
    const input = takesInput ? ((rest.shift() ?? {}) as Input) : {};
    const options = (rest.shift() ?? {}) as CallOptions;
    if (rest.length > 0)
      throw new PlatformError(`${operation.method} ${operation.path} takes fewer arguments.`);
    const request = requestOf(operation, path, input, options);
    if (operation.download) return this.#download(request);
    if (operation.upload) return callOf(this.#upload(operation, request, source as Source, input));
    if (operation.pages) return listOf(this.#page(operation, request, input));
    return callOf(this.#answer(operation, request));
  }

  async #answer(operation: Operation, request: Request): Promise<Answer<unknown>> {
    const dataOf = (received: Received) => fieldOf(operation, received);
    const received = await this.#client.send({ ...request, dataOf });
    return answerOf(received, dataOf(received));
  }

  async #page(operation: Operation, request: Request, input: Input): Promise<Answer<Page<unknown>>> {
    const load = async (cursor: string) => {
      const next = { ...input, cursor };
      const path = pathOf(operation, request.path.replace(/\?.*/, ""), next);
      return (await this.#page(operation, { ...request, path }, next)).data;
    };
    const dataOf = (received: Received) =>
      pageOf(
        fieldOf(operation, received) as unknown[],
        received.json as { nextCursor: string | null; total?: Total | null },
        load,
      );
    const received = await this.#client.send({ ...request, dataOf });
    return answerOf(received, dataOf(received));
  }

  async #upload(
    operation: Operation,
    request: Request,
    source: Source,
    input: Input,
  ): Promise<Answer<unknown>> {
    const { size, sha256, contentType } = input as { size?: number; sha256?: string; contentType?: string };
    const upload = await openSource(source, size);
    const given = { ...input, sha256: sha256 ?? upload.sha256 };
    const headers: Record<string, string> = {
      ...request.headers,
      "content-type":
        contentType ?? (operation.method === "PUT" ? "application/zip" : "application/octet-stream"),
      "content-length": String(upload.size),
    };
    for (const [field, header] of Object.entries(operation.upload ?? {})) {
      const value = (given as Input)[field];
      if (value !== undefined) headers[header] = String(value);
    }
    const answer = await this.#answer(operation, {
      ...request,
      headers,
      body: upload.body,
      once: upload.once,
    });
    const stored = answer.headers.get("x-content-sha256");
    const sent = upload.sent?.();
    if (sent !== undefined && stored !== null && stored !== sent)
      throw new PlatformError(`The platform stored bytes with the SHA-256 ${stored}; ${sent} was sent.`);
    return answer;
  }

  #download(request: Request): Download {
    const headers = { ...request.headers, accept: "application/octet-stream, application/zip;q=0.9" };
    return downloadOf(this.#client, { ...request, headers, streams: true }, this.#idleMs);
  }

  toJSON(): unknown {
    return { baseUrl: this.#client.baseUrl };
  }

  /** The representation for `console.log`, which never contains the key. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `Platform { baseUrl: ${JSON.stringify(this.#client.baseUrl)} }`;
  }
}

function segment(name: string, value: unknown): string {
  if ((typeof value !== "string" && typeof value !== "number") || value === "")
    throw new PlatformError(`${name} is missing.`);
  // A browser's URL parser would resolve these as relative path segments.
  if (value === "." || value === "..") throw new PlatformError(`${name} is malformed.`);
  return encodeURIComponent(value);
}

function pathOf({ query = [] }: Operation, path: string, input: Input): string {
  const search = new URLSearchParams();
  for (const name of query) {
    const value = input[name];
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

function requestOf(operation: Operation, path: string, input: Input, options: CallOptions): Request {
  const { method, query = [], body, upload, idempotent } = operation;
  const sent = body
    ? Object.fromEntries(Object.entries(input).filter(([name]) => !query.includes(name)))
    : {};
  if (!body && !upload) {
    const unknown = Object.keys(input).find((name) => !query.includes(name));
    if (unknown !== undefined) throw new PlatformError(`${method} ${operation.path} takes no ${unknown}.`);
  }
  return {
    method,
    path: pathOf(operation, path, input),
    headers: {
      ...(body && { "content-type": "application/json" }),
      ...(idempotent && { "idempotency-key": options.idempotencyKey ?? `sdk_${crypto.randomUUID()}` }),
    },
    ...(body && { body: JSON.stringify(sent) }),
    options,
  };
}

function fieldOf({ field }: Operation, { json = {} }: Received): unknown {
  if (field !== undefined) return json[field];
  const { ok: _, ...rest } = json;
  return rest;
}

function answerOf<T>({ response }: Received, data: T): Answer<T> {
  const { headers, status } = response;
  const charged = headers.get("x-service-credits-charged");
  return {
    data,
    status,
    requestId: headers.get("x-request-id"),
    replayed: headers.get("idempotent-replayed") === "true",
    chargedCredits: charged === null ? null : Number(charged),
    limits: limitsOf(headers.get("ratelimit")),
    headers,
  };
}
