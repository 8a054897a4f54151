import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { z } from "zod";
import { defined } from "#server/base/defined.ts";
import { ApiError, invalid } from "./errors.ts";
import { storable } from "./storable.ts";

/** A body of raw bytes, as an operation declares it. */
export interface RawBody<Headers extends z.ZodObject = z.ZodObject> {
  description: string;
  /** The accepted media types; any by default. */
  mediaTypes?: readonly string[];
  maximumBytes: number;
  /** The headers that describe the bytes, by name: `X-File-Name`. */
  headers: Headers;
}

/** The bytes of a call as the transport provides them, before any check. */
export interface SentBytes {
  /** Returns every value of the header, as text. */
  header(name: string): readonly string[];
  /** The declared length; null if none was sent. */
  length: number | null;
  mediaType: string | null;
  encoding: string | null;
  content: AsyncIterable<Uint8Array>;
}

/** The bytes of a call for its handler, which reads them once. */
export interface Upload<Headers> {
  headers: Headers;
  mediaType: string;
  sizeBytes: number;
  content: AsyncIterable<Uint8Array>;
  /**
   * Ends the reading: refuses bytes that differ from `X-Content-Sha256`, and records the SHA-256 (hex) so
   * that a repeat can be compared.
   */
  confirm(sha256: string): void;
}

/** The bytes of a call, with the hash that is recorded of them. */
export interface TrackedBytes {
  upload: Upload<unknown>;
  /**
   * Refuses to replay a stored response for different bytes: the fingerprint of the claim does not include
   * them.
   */
  compare(stored: { headers: Record<string, string> }): Promise<void>;
}

const CHECKSUM = "x-content-sha256";
/** With the characters that a header can carry (RFC 9110, 5.6.4), except escaped ones. */
const MEDIA_TYPE =
  /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}( *; *[\w!#$&^.+-]{1,127}=([\w!#$&^.+-]+|"[\t\x20\x21\x23-\x5b\x5d-\x7e\x80-\xff]*"))*$/;

/** True if the text has the form of a media type: `image/png`, `text/plain; charset=utf-8`. */
export function isMediaType(text: string): boolean {
  return text.length <= 255 && MEDIA_TYPE.test(text);
}

/** Refuses bytes by their headers, before any byte is read. */
export function refuseBytes({ maximumBytes, mediaTypes }: RawBody, sent: SentBytes): void {
  const { length, encoding } = sent;
  if (length === null)
    throw new ApiError("length_required", "The upload has no Content-Length. Send the number of its bytes.");
  if (length > maximumBytes)
    throw new ApiError(
      "payload_too_large",
      `The upload has ${length} bytes, more than the ${maximumBytes} that it may have.`,
    );
  if (encoding !== null && encoding.toLowerCase() !== "identity")
    throw new ApiError(
      "unsupported_media_type",
      `The upload has the Content-Encoding ${encoding}. Send it without one.`,
    );
  const type = mediaTypeOf(sent);
  const essence = defined(type.split(";")[0]?.trim().toLowerCase());
  if (!isMediaType(type) || (mediaTypes && !mediaTypes.includes(essence)))
    throw new ApiError(
      "unsupported_media_type",
      `The upload has the Content-Type ${storable(type)}. Send ${mediaTypes?.join(" or ") ?? "a media type like image/png"}.`,
    );
}

function mediaTypeOf({ mediaType }: SentBytes): string {
  return mediaType ?? "application/octet-stream";
}

/** Returns the headers that describe the bytes, under the names in the operation's schema. */
export function headersOf({ headers }: RawBody, sent: SentBytes): Record<string, string> {
  const found = Object.keys(headers.shape).flatMap((name) => {
    const [value, ...more] = sent.header(name.toLowerCase());
    const path = `header.${name.toLowerCase()}`;
    if (more.length > 0) throw invalid(path, "Sent more than once. Send it once.");
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** Returns a header's text decoded as UTF-8; HTTP delivers it as Latin-1. */
export function headerText(name: string, value: string): string {
  const bytes = Buffer.from(value, "latin1");
  if (!isUtf8(bytes)) throw invalid(`header.${name}`, "Is not valid UTF-8.");
  return bytes.toString("utf8");
}

/** Tracks the bytes of a call from its handler to its record; the response names their SHA-256. */
export function trackBytes(
  sent: SentBytes,
  headers: Record<string, unknown>,
  response: { header(name: string, value: string): void },
): TrackedBytes {
  let begun = false;
  let confirmed: string | undefined;

  async function* read() {
    // Another call took over the same idempotency key and failed after these bytes had been read.
    if (begun)
      throw new ApiError("idempotency_in_progress", "The upload was overtaken by another. Send it again.", {
        retryAfterSeconds: 1,
      });
    begun = true;
    let received = 0;
    try {
      for await (const chunk of sent.content) {
        received += chunk.byteLength;
        yield chunk;
      }
    } catch (cause) {
      const message = `Broke off after ${received} of ${sent.length} bytes. Send all of them.`;
      throw new ApiError(
        "invalid_request",
        `body: ${message}`,
        { issues: [{ path: "body", message }] },
        { cause },
      );
    }
  }

  const upload: Upload<unknown> = {
    headers,
    mediaType: mediaTypeOf(sent),
    sizeBytes: sent.length ?? 0,
    content: { [Symbol.asyncIterator]: read },
    confirm(sha256) {
      const expected = headers["X-Content-Sha256"];
      if (typeof expected === "string" && expected !== sha256)
        throw new ApiError(
          "checksum_mismatch",
          `The bytes received have the SHA-256 ${sha256}; X-Content-Sha256 says ${expected}. Nothing was stored.`,
        );
      confirmed = sha256;
      response.header(CHECKSUM, sha256);
    },
  };

  return {
    upload,
    async compare({ headers: stored }) {
      confirmed ??= await sha256Of(upload.content);
      if (stored[CHECKSUM] === confirmed) return;
      throw new ApiError(
        "idempotency_key_reused",
        "The Idempotency-Key was used with other bytes. Send a new key for a new call.",
      );
    },
  };
}

async function sha256Of(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of content) hash.update(chunk);
  return hash.digest("hex");
}
