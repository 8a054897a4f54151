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

/** A refusal in the form of OAuth: a code, and a sentence in ASCII without quotes and backslashes. */
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

/** What error_description may have (OAuth 2.1, 3.2.4). */
function plain(text: string): string {
  return text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, "?");
}
