import type { TRPCError } from "@trpc/server";
import { ApiError, type ErrorCode } from "#server/operation/errors.ts";
import { asApiError } from "#server/operation/faults.ts";

type TrpcCode = TRPCError["code"];

const CODES: Record<number, TrpcCode> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  402: "PAYMENT_REQUIRED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  409: "CONFLICT",
  410: "PRECONDITION_FAILED",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  416: "UNPROCESSABLE_CONTENT",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_SERVER_ERROR",
  502: "BAD_GATEWAY",
  503: "SERVICE_UNAVAILABLE",
  504: "GATEWAY_TIMEOUT",
};

/** Codes for errors that tRPC itself raises before a procedure is reached. */
const OWN: Partial<Record<TrpcCode, ErrorCode>> = {
  PARSE_ERROR: "invalid_json",
  BAD_REQUEST: "invalid_request",
  NOT_FOUND: "not_found",
  METHOD_NOT_SUPPORTED: "method_not_allowed",
  PAYLOAD_TOO_LARGE: "payload_too_large",
  UNSUPPORTED_MEDIA_TYPE: "unsupported_media_type",
};

/** Returns tRPC's nearest code; the platform's error has the exact status. */
export function trpcCodeOf(status: number): TrpcCode {
  return CODES[status] ?? "INTERNAL_SERVER_ERROR";
}

/** Returns the platform's error inside a tRPC error, or the equivalent of tRPC's own. */
export function asPlatformError(error: TRPCError, requestId: string): ApiError {
  if (error.cause instanceof ApiError) return error.cause;
  const code = error.cause instanceof SyntaxError ? "invalid_json" : OWN[error.code];
  return code ? new ApiError(code, error.message) : asApiError(error.cause ?? error, requestId);
}
