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
  | "invalid_answer"
  | "timeout"
  | "too_large"
  | "aborted";

const MAYBE_SENT = new Set<OutboundReason>([
  "connection_lost",
  "invalid_answer",
  "timeout",
  "too_large",
  "aborted",
]);

/** Why a request to an outside address got no response. */
export class OutboundError extends Error {
  readonly reason: OutboundReason;
  /** True if the peer may have received the request. */
  maybeSent: boolean;

  constructor(reason: OutboundReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "OutboundError";
    this.reason = reason;
    this.maybeSent = MAYBE_SENT.has(reason);
  }
}

/** Returns the `OutboundError` in the chain of causes, else one for the kind of failure that the code stands for. */
export function asOutboundError(error: unknown, target?: URL): OutboundError {
  const where = target ? ` to ${target.host}` : "";
  const of = target ? ` of ${target.host}` : "";
  let code = "";
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundError) return cause;
    if (!code && "code" in cause && typeof cause.code === "string") code = cause.code;
    // Each of several addresses failed in its own way.
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
  if (code === "UND_ERR_HEADERS_OVERFLOW")
    return new OutboundError("too_large", `The headers${of} have more than 16 KB.`, { cause: error });
  if (error instanceof Error && isInvalidAnswer(error, code)) {
    const why = /\(([^)]*)\)$/.exec(error.message)?.[1] ?? error.message;
    const message = `${target?.host ?? "The peer"} answers no valid HTTP (${why}).`;
    return new OutboundError("invalid_answer", message, { cause: error });
  }
  return new OutboundError("connection_lost", `The connection${where} was lost (${code || "no code"}).`, {
    cause: error,
  });
}

/** True for responses that undici's parser refuses, and for an unrequested protocol upgrade. */
function isInvalidAnswer({ name, message }: Error, code: string): boolean {
  return (
    name === "HTTPParserError" ||
    code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" ||
    /^bad (upgrade|response)$/.test(message)
  );
}
