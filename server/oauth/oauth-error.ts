import type { ApiError } from "#server/operation/errors.ts";

export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "invalid_scope"
  | "invalid_target"
  | "access_denied"
  | "authorization_pending"
  | "slow_down"
  | "expired_token"
  | "interaction_required"
  | "temporarily_unavailable"
  | "invalid_redirect_uri"
  | "invalid_client_metadata";

/** An error in OAuth's format: a code, and a sentence in ASCII without quotes and backslashes. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(
    code: OAuthErrorCode,
    description: string,
    { status = 400, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
  ) {
    super(plain(description));
    this.name = "OAuthError";
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Returns an error of the platform in OAuth's format. A fault of the platform or too many calls never become a code that
 * makes apps discard their tokens.
 */
export function asOAuthError({ status, message, details: { retryAfterSeconds } }: ApiError): OAuthError {
  if (status < 500 && status !== 429) return new OAuthError("invalid_request", message, { status });
  return new OAuthError("temporarily_unavailable", message, {
    status: status === 429 ? 429 : 503,
    headers: { "retry-after": String(retryAfterSeconds ?? 5) },
  });
}

/** Removes characters that error_description may not contain (OAuth 2.1, 3.2.4). */
function plain(text: string): string {
  return text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, "?");
}
