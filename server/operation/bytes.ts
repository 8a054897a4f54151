import { create as disposition } from "content-disposition";
import rangeParser from "range-parser";
import { isFresh } from "#server/base/etag.ts";
import type { CallResponse } from "./call-response.ts";
import { ApiError } from "./errors.ts";
import { isMediaType } from "./upload.ts";

/** How an operation responds with bytes over HTTP. Other transports return its JSON output. */
export interface ByteOutput {
  /** `always`, or `accepted`: only if `Accept` names the content's own type or `application/octet-stream`. */
  when: "always" | "accepted";
  mediaType: string;
  description: string;
}

/** Bytes that a handler returns in place of its output. */
export interface Bytes {
  name: string;
  mediaType: string;
  sizeBytes: number;
  /** SHA-256 of all bytes, in hex. */
  sha256: string;
  /** Additional response headers. */
  headers?: Record<string, string>;
  open(range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array>>;
}

/** The result of a handler that responds with bytes. */
export class ByteResult {
  readonly bytes: Bytes;

  constructor(bytes: Bytes) {
    this.bytes = bytes;
  }
}

/** The parts of a request that decide how bytes are sent. */
export interface ByteRequest {
  head: boolean;
  /** Returns a header's value, or null if it was not sent. */
  header(name: string): string | null;
  /** Closes the connection at once, even if the response is not fully sent. */
  cut(): void;
}

/**
 * Returns a response with all bytes, one range of them, or none if the caller's copy is current (RFC 9110, 13
 * and 14).
 */
export async function byteResponse({ bytes }: ByteResult, request: ByteRequest): Promise<CallResponse> {
  const { name, mediaType, sizeBytes, sha256 } = bytes;
  const etag = `"${sha256}"`;
  const headers: Record<string, string> = {
    // Earlier releases also stored types that no header can carry.
    "content-type": isMediaType(mediaType) ? mediaType : "application/octet-stream",
    "content-length": String(sizeBytes),
    "content-disposition": disposition(name),
    "x-content-sha256": sha256,
    etag,
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    // Browsers must neither guess the content's type nor execute it.
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    ...bytes.headers,
  };
  if (isFresh(request.header("if-none-match"), etag)) {
    const { "content-length": _, "content-type": __, ...kept } = headers;
    return { status: 304, headers: kept, body: "", bytes: null, error: null };
  }
  const range = rangeOf(request, etag, sizeBytes);
  if (range) {
    headers["content-range"] = `bytes ${range.start}-${range.end}/${sizeBytes}`;
    headers["content-length"] = String(range.end - range.start + 1);
  }
  const content = request.head || sizeBytes === 0 ? null : await bytes.open(range);
  return { status: range ? 206 : 200, headers, body: "", bytes: content, error: null };
}

/**
 * Returns the requested range. Several ranges, and a malformed `Range`, are ignored: the response has all
 * bytes.
 */
function rangeOf(request: ByteRequest, etag: string, size: number) {
  const asked = request.header("range");
  const unless = request.header("if-range");
  if (asked === null || request.head || (unless !== null && unless !== etag)) return undefined;
  const ranges = rangeParser(size, asked);
  if (ranges === -1)
    throw new ApiError(
      "range_not_satisfiable",
      `The range ${asked.slice(0, 100)} lies outside the ${size} bytes.`,
      {
        headers: { "content-range": `bytes */${size}` },
      },
    );
  return Array.isArray(ranges) && ranges.type === "bytes" && ranges.length === 1 ? ranges[0] : undefined;
}

/** True if `Accept` prefers bytes of this type to JSON. Wildcards do not count as a preference. */
export function prefersBytes(accept: string | null, mediaType: string): boolean {
  const essence = (text: string) => text.split(";")[0]?.trim().toLowerCase();
  const wanted = (accept ?? "").split(",").map((entry, place) => {
    const q = Number(/;\s*q=([\d.]+)/i.exec(entry)?.[1] ?? 1);
    return { type: essence(entry), weight: q > 0 ? q - place / 1000 : 0 };
  });
  const weightOf = (types: (string | undefined)[]) =>
    Math.max(0, ...wanted.filter(({ type }) => types.includes(type)).map(({ weight }) => weight));
  const bytes = weightOf(["application/octet-stream", essence(mediaType)]);
  // A JSON file is requested by `application/octet-stream` only: `application/json` requests its description.
  const json = weightOf(["application/json", "application/problem+json"]);
  return bytes > json;
}

/**
 * Returns a stream of the same bytes that calls `done` once they have been read or the reader has cancelled.
 */
export function whenRead(content: ReadableStream<Uint8Array>, done: () => void): ReadableStream<Uint8Array> {
  const reader = content.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await reader.read().catch((reason) => {
          done();
          throw reason;
        });
        if (!next.done) return controller.enqueue(next.value);
        done();
        controller.close();
      },
      async cancel(reason) {
        done();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
