import type { ApiError } from "./errors.ts";

/** The pipeline's response to a call; each transport converts it to its own format. */
export interface CallResponse {
  status: number;
  headers: Record<string, string>;
  /** The response envelope as JSON. */
  body: string;
  /** Bytes in place of the envelope; null if the response has no content. */
  bytes?: ReadableStream<Uint8Array> | null;
  error: ApiError | null;
}
