import type { HttpRequest } from "#server/base/http-message.ts";
import { ApiError } from "./errors.ts";
import { parseWritten } from "./exact-numbers.ts";
import { invalidRequest } from "./input.ts";
import { JSON_LIMITS, scanJson } from "./json-text.ts";

/** The maximum size of a JSON body in bytes. */
export const MAX_JSON_BYTES = 1_048_576;
/** The maximum nesting of a message that wraps operations' inputs; each input is judged separately. */
export const MESSAGE_DEPTH = 256;

type Body = Pick<HttpRequest, "headers" | "readBody" | "streamBody">;

function tooLarge(most: number): ApiError {
  return new ApiError(
    "payload_too_large",
    `The body is larger than ${most} bytes, the most that a JSON body may have.`,
  );
}

/** Reads the body's bytes; refuses more than `most`. */
export async function readBytes(request: Body, most = MAX_JSON_BYTES): Promise<Uint8Array> {
  const length = Number(request.headers["content-length"] ?? Number.NaN);
  if (length > most) throw tooLarge(most);
  if (length <= most) return request.readBody();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.streamBody() ?? []) {
    size += chunk.length;
    if (size > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads the JSON body of a request, its numbers in their written form; undefined if there is no body. Refuses
 * other media types, too many bytes or values, and anything but UTF-8 JSON.
 */
export async function readJsonBody(
  request: Body,
  maximumDepth: number = JSON_LIMITS.maximumDepth,
): Promise<unknown> {
  const bytes = await readBytes(request).catch((reason) => {
    if (reason instanceof ApiError) throw reason;
    throw new ApiError("invalid_json", "The body broke off before its end.", {}, { cause: reason });
  });
  if (bytes.length === 0) return undefined;
  refuseOtherTypes(request.headers);
  return parseBody(bytes, maximumDepth);
}

/** Parses JSON, keeping numbers in their written form. */
export function parseBody(bytes: Uint8Array, maximumDepth: number): unknown {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), maximumDepth);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    const fault = cause instanceof SyntaxError ? cause.message : "It is not valid UTF-8";
    throw new ApiError("invalid_json", `The body is not JSON: ${fault}.`, {}, { cause });
  }
}

// Bounds are checked before parsing, so that nothing is built from a text that exceeds them.
function parseJson(text: string, maximumDepth: number): unknown {
  const { excess, closed, issues, otherNumbers } = scanJson(text, maximumDepth);
  if (excess && !closed) throw new SyntaxError("It ends before all that it opens is closed");
  if (excess) throw invalidRequest([excess]);
  const value = JSON.parse(text);
  if (issues.length > 0) throw invalidRequest(issues);
  return otherNumbers.length > 0 ? parseWritten(text, otherNumbers) : value;
}

export function refuseOtherTypes(headers: HttpRequest["headers"]): void {
  const type = headers["content-type"];
  const encoding = headers["content-encoding"];
  if (!/^application\/json *(;|$)/i.test(type ?? "")) {
    throw new ApiError(
      "unsupported_media_type",
      `The body has the Content-Type ${type ?? "(none)"}. Send application/json.`,
    );
  }
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    throw new ApiError(
      "unsupported_media_type",
      `The body has the Content-Encoding ${encoding}. Send it without one.`,
    );
  }
}
