import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { defined } from "#server/base/defined.ts";
import { span, telemetry } from "#server/base/telemetry.ts";
import type { BlobStore, S3Settings } from "./blob-store.ts";
import { measure } from "./measure.ts";
import { inParts, PART_BYTES } from "./parts.ts";
import { BlobMissing, BlobStoreUnavailable } from "./unavailable.ts";

const TITLE = "The platform's blob store (BLOBS_URL)";
/** The time limit of a call. */
const ANSWER_MS = 2500;
/** Sending takes time: a second is allowed for each megabyte. */
const SENT_BYTES_PER_MS = 1000;
/** The time limit of a call while the store is silent. */
const AGAIN_MS = 500;

interface S3Request {
  method: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer> | string;
  /** Statuses beside 2xx that are a valid answer. */
  also?: number[];
}

/** Stores blobs in a bucket. Each part has its own checksum, so that the store detects corruption. */
export function openS3Store({ url, region, accessKeyId, secretAccessKey }: S3Settings): BlobStore {
  const client = new AwsClient({ service: "s3", region, accessKeyId, secretAccessKey });
  const base = new URL(url.endsWith("/") ? url : `${url}/`);
  const [bucket = "", ...prefix] = base.pathname.slice(1).split("/");

  let isSilent = false;

  async function ask(path: string, asked: S3Request): Promise<Response> {
    if (isSilent) await check(AGAIN_MS);
    return askWithin(ANSWER_MS + (asked.body?.length ?? 0) / SENT_BYTES_PER_MS, path, asked);
  }

  const askWithin = (ms: number, path: string, asked: S3Request): Promise<Response> =>
    span(
      `S3 ${asked.method}`,
      () => ({ kind: "client", attributes: { "server.address": base.hostname } }),
      () => exchange(ms, path, asked),
    );

  async function exchange(
    ms: number,
    path: string,
    { method, query = {}, headers = {}, body, also = [] }: S3Request,
  ): Promise<Response> {
    const target = new URL(path, base);
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
    const silence = new AbortController();
    const timer = setTimeout(() => {
      isSilent = true;
      silence.abort();
    }, ms);
    const signed = { ...headers, "x-amz-content-sha256": digest(body ?? "") };
    try {
      const response = bounded(
        await send(() => client.sign(target.href, { method, headers: signed, body }), silence.signal),
      );
      isSilent = false;
      telemetry.tracing?.set({ "http.response.status_code": response.status });
      if (response.ok || also.includes(response.status)) return response;
      throw new Error(`${method} was answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
    } catch (cause) {
      throw unavailable(cause);
    } finally {
      clearTimeout(timer);
    }
  }

  async function check(ms: number): Promise<void> {
    await askWithin(ms, "health", { method: "HEAD", also: [404] });
  }

  const put = (key: string, part: Uint8Array<ArrayBuffer>, query?: Record<string, string>) =>
    ask(key, { method: "PUT", query, body: part });

  async function putParts(key: string, parts: AsyncIterable<Uint8Array<ArrayBuffer>>) {
    const begun = await (await ask(key, { method: "POST", query: { uploads: "" }, body: "" })).text();
    const uploadId = tag(begun, "UploadId");
    const entries: string[] = [];
    try {
      for await (const part of parts) {
        const number = entries.length + 1;
        const stored = await put(key, part, { partNumber: String(number), uploadId });
        await stored.body?.cancel();
        entries.push(
          `<Part><PartNumber>${number}</PartNumber><ETag>${stored.headers.get("etag")}</ETag></Part>`,
        );
      }
      const body = `<CompleteMultipartUpload>${entries.join("")}</CompleteMultipartUpload>`;
      const done = await (await ask(key, { method: "POST", query: { uploadId }, body })).text();
      // A failure to complete the upload comes with status 200.
      if (done.includes("<Error>"))
        throw new BlobStoreUnavailable(`${TITLE} could not put the parts together.`, done);
    } catch (reason) {
      await abort(key, uploadId).catch(() => undefined);
      throw reason;
    }
  }

  async function abort(key: string, uploadId: string) {
    await (await ask(key, { method: "DELETE", query: { uploadId }, also: [404] })).body?.cancel();
  }

  return {
    title: TITLE,

    async put(key, content) {
      const measured = measure(content);
      const parts = inParts(measured.chunks);
      try {
        const first = await parts.next();
        const whole = first.value ?? new Uint8Array();
        if (whole.byteLength < PART_BYTES) await (await put(key, whole)).body?.cancel();
        else await putParts(key, resumed(whole, parts));
      } catch (reason) {
        throw measured.broken()?.reason ?? reason;
      } finally {
        await parts.return(undefined);
      }
      return { key, ...measured.result() };
    },

    async read(key, range) {
      const headers = range && { range: `bytes=${range.start}-${range.end}` };
      const response = await ask(key, { method: "GET", headers, also: [404] });
      if (response.status === 404) {
        const said = await response.text();
        const Failure = said.includes("<Code>NoSuchKey</Code>") ? BlobMissing : BlobStoreUnavailable;
        throw new Failure(
          `${TITLE} is not available.`,
          new Error(`GET was answered 404: ${said.slice(0, 500)}`),
        );
      }
      return response.body ?? new Blob([]).stream();
    },

    async delete(key) {
      await (await ask(key, { method: "DELETE", also: [404] })).body?.cancel();
      const query = { uploads: "", prefix: `${prefix.join("/")}${key}` };
      const begun = await (await ask(`/${bucket}`, { method: "GET", query })).text();
      for (const [, uploadId] of begun.matchAll(/<UploadId>([^<]+)<\/UploadId>/g))
        await abort(key, defined(uploadId));
    },

    check: () => check(isSilent ? AGAIN_MS : ANSWER_MS),
  };
}

/** Sends a request; repeats it if the store limits requests or fails. */
async function send(sign: () => Promise<Request>, signal: AbortSignal): Promise<Response> {
  for (let left = 2; ; left--) {
    // Passed to fetch itself: a signal inside a Request is lost when that is garbage-collected.
    const response = await fetch(await sign(), { signal });
    if ((response.status < 500 && response.status !== 429) || left === 0) return response;
    await response.body?.cancel();
    await sleep(100, undefined, { signal });
  }
}

function unavailable(cause: unknown) {
  return new BlobStoreUnavailable(`${TITLE} is not available.`, cause);
}

/** Returns the response, whose bytes fail if the store falls silent between two of them. */
function bounded(response: Response): Response {
  if (!response.body) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { promise: silence, reject } = Promise.withResolvers<never>();
        const timer = setTimeout(() => reject(new Error("The store fell silent.")), ANSWER_MS);
        try {
          const { done, value } = await Promise.race([reader.read(), silence]);
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (cause) {
          void reader.cancel().catch(() => undefined);
          throw unavailable(cause);
        } finally {
          clearTimeout(timer);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}

async function* resumed<Part>(first: Part, rest: AsyncIterable<Part>) {
  yield first;
  yield* rest;
}

function digest(body: Uint8Array | string): string {
  return createHash("sha256").update(body).digest("hex");
}

function tag(xml: string, name: string): string {
  const value = new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)?.[1];
  if (!value) throw new BlobStoreUnavailable(`${TITLE} answered without ${name}.`, xml);
  return value;
}
