import { createHash } from "node:crypto";
import { AwsClient } from "aws4fetch";
import type { BlobStore } from "./blob-store.ts";
import { measure } from "./measure.ts";
import { inParts, PART_BYTES } from "./parts.ts";
import { BlobStoreUnavailable } from "./unavailable.ts";

/** A bucket of an S3 API, addressed by path: `https://host/bucket/prefix`. */
export interface S3Settings {
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const TITLE = "The platform's blob store (BLOBS_URL)";
const ANSWER_MS = 15_000;
const PART_MS = 120_000;

interface Asked {
  method: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer> | string;
  /** Statuses that are an answer beside 2xx. */
  also?: number[];
}

/** Keeps blobs in a bucket. Each part goes with its own checksum, so the store notices what the way has changed. */
export function openS3Store({ url, region, accessKeyId, secretAccessKey }: S3Settings): BlobStore {
  const client = new AwsClient({ service: "s3", region, accessKeyId, secretAccessKey, retries: 2 });
  const base = new URL(url.endsWith("/") ? url : `${url}/`);
  const [bucket = "", ...prefix] = base.pathname.slice(1).split("/");

  async function ask(path: string, { method, query = {}, headers = {}, body, also = [] }: Asked) {
    const target = new URL(path, base);
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), body === undefined ? ANSWER_MS : PART_MS);
    const signed = { ...headers, "x-amz-content-sha256": digest(body ?? "") };
    const sent = { method, headers: signed, body, signal: silence.signal };
    try {
      const response = await client.fetch(target.href, sent);
      if (response.ok || also.includes(response.status)) return response;
      throw new Error(`${method} was answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
    } catch (cause) {
      throw new BlobStoreUnavailable(`${TITLE} is not available.`, cause);
    } finally {
      clearTimeout(timer);
    }
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
      // A failure to put the parts together comes with status 200.
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
      const { body } = await ask(key, { method: "GET", headers });
      return body ?? new Blob([]).stream();
    },

    async delete(key) {
      await (await ask(key, { method: "DELETE", also: [404] })).body?.cancel();
      const query = { uploads: "", prefix: `${prefix.join("/")}${key}` };
      const begun = await (await ask(`/${bucket}`, { method: "GET", query })).text();
      for (const [, uploadId] of begun.matchAll(/<UploadId>([^<]+)<\/UploadId>/g))
        await abort(key, uploadId as string);
    },

    async check() {
      await ask("health", { method: "HEAD", also: [404] });
    },
  };
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
