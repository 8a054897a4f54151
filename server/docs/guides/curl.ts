interface Sent {
  body?: unknown;
  /** The credential header; by default a bearer key from `API_KEY`. */
  auth?: string;
  /** The idempotency key; by default a new one for every write. */
  idempotencyKey?: string;
  headers?: string[];
}

/** Returns a call of the API as a shell command: `curl(baseUrl, "POST /v1/projects", { body })`. */
export function curl(baseUrl: string, call: string, sent: Sent = {}): string {
  const [method, path] = call.split(" ");
  const { body, auth = "Authorization: Bearer $API_KEY", idempotencyKey = "$(uuidgen)", headers = [] } = sent;
  return [
    `curl -s ${method === "GET" ? "" : `-X ${method} `}"${baseUrl}${path}"`,
    `-H "${auth}"`,
    ...(method === "GET" ? [] : [`-H "Idempotency-Key: ${idempotencyKey}"`]),
    ...headers.map((header) => `-H "${header}"`),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${quoted(body)}`]),
  ].join(" \\\n  ");
}

/** Returns JSON quoted for a shell that expands `$NAME`. */
function quoted(body: unknown): string {
  const text = JSON.stringify(body);
  return text.includes("$") ? `"${text.replaceAll('"', '\\"')}"` : `'${text.replaceAll("'", "'\\''")}'`;
}
