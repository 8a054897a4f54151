const NOT_SENT = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENODATA",
  "ESERVFAIL",
  "ETIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export type OutboundReason =
  | "address_refused"
  | "name_not_found"
  | "connection_failed"
  | "connection_lost"
  | "timeout"
  | "too_large"
  | "aborted";

/** Why a request to somebody else's address got no answer. */
export class OutboundError extends Error {
  readonly reason: OutboundReason;
  /** Whether the peer may have seen the request. */
  maybeSent: boolean;

  constructor(reason: OutboundReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "OutboundError";
    this.reason = reason;
    this.maybeSent =
      reason === "connection_lost" || reason === "timeout" || reason === "too_large" || reason === "aborted";
  }
}

/** The error in its chain of causes that is ours, else the kind of failure that its code tells. */
export function asOutboundError(error: unknown, target?: URL): OutboundError {
  const where = target ? ` to ${target.host}` : "";
  let code = "";
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundError) return cause;
    if (!code && "code" in cause && typeof cause.code === "string") code = cause.code;
    // Of several addresses each had a failure of its own.
    const [first] = cause instanceof AggregateError ? cause.errors : [];
    if (!code && first instanceof Error && "code" in first) code = String(first.code);
  }
  if (code === "ENOTFOUND" || code === "ENODATA")
    return new OutboundError("name_not_found", `${target?.hostname ?? "The name"} was not found.`, {
      cause: error,
    });
  // Nothing is sent before the peer's certificate has been verified.
  if (NOT_SENT.has(code) || /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO)/.test(code))
    return new OutboundError("connection_failed", `The connection${where} failed (${code}).`, {
      cause: error,
    });
  return new OutboundError("connection_lost", `The connection${where} was lost (${code || "no code"}).`, {
    cause: error,
  });
}
