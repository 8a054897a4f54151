/** The statuses that the API responds with. */
const REASONS: Readonly<Record<string, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No content",
  206: "Partial content",
  304: "Not modified",
  400: "Bad request",
  401: "Unauthorized",
  402: "Payment required",
  403: "Forbidden",
  404: "Not found",
  405: "Method not allowed",
  409: "Conflict",
  410: "Gone",
  411: "Length required",
  413: "Too large",
  415: "Unsupported media type",
  416: "Range not satisfiable",
  422: "Unprocessable",
  429: "Too many requests",
  500: "Internal error",
  502: "Bad gateway",
  503: "Unavailable",
  504: "Timeout",
};

/** Returns a status with its meaning: `404 Not found`. */
export const statusName = (status: string) => `${status} ${REASONS[status] ?? ""}`.trim();

export const statusChoices = Object.keys(REASONS).map((value) => ({ value, label: statusName(value) }));
