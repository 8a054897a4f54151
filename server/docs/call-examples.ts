import type { Operation } from "#server/operation/operation.ts";

/** An example call, independent of a language. */
interface ExampleCall {
  method: string;
  /** Contains `{NAME}` for each environment variable. */
  url: string;
  headers: [name: string, value: string][];
  authorized: boolean;
  idempotent: boolean;
  /** A JSON body, a file's content, or nothing. */
  sends: { json: unknown } | "file" | null;
  /** True if the response is a file. */
  answersFile: boolean;
  /** True if the response is a stream of events. */
  answersEvents: boolean;
}

/** Returns the example call of an operation; `body` is the example of its JSON body. */
export function exampleCall(operation: Operation, body: unknown, baseUrl: string): ExampleCall {
  const { method, path, scope, idempotent, raw, bytes, examples } = operation;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => `{${variable(name)}}`);
  const mediaType = raw ? (raw.mediaTypes?.[0] ?? "text/plain") : operation.body && "application/json";
  return {
    method,
    url: `${baseUrl}/v1${filled}${requiredQuery(operation)}`,
    headers: [
      ...Object.entries(mediaType ? { "Content-Type": mediaType } : {}),
      ...Object.entries(examples?.headers ?? {}),
    ],
    authorized: scope !== null,
    idempotent,
    sends: raw ? "file" : operation.body ? { json: body } : null,
    answersFile: bytes?.when === "always",
    answersEvents: operation.stream !== undefined,
  };
}

/** Returns the example's query if the operation requires one; otherwise an empty string. */
export function requiredQuery({ query, examples }: Operation): string {
  return query?.safeParse({}).success === false ? `?${new URLSearchParams(examples?.query)}` : "";
}

const variable = (name: string) => name.replace(/([A-Z])/g, "_$1").toUpperCase();

/** Returns the call as a shell command that uses `API_KEY` and id variables. */
export function curlOf(call: ExampleCall) {
  const { method, url, headers, authorized, idempotent, sends, answersFile, answersEvents } = call;
  return [
    `curl ${answersEvents ? "-N " : ""}${method === "GET" ? "" : `-X ${method} `}"${url.replace(/\{(\w+)\}/g, "$$$1")}"`,
    ...(authorized ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    ...(idempotent ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
    ...(sends === "file" ? ["--data-binary @FILE"] : []),
    ...(sends && sends !== "file" ? [`-d '${JSON.stringify(sends.json).replaceAll("'", "'\\''")}'`] : []),
    ...(answersFile ? ["-o FILE"] : []),
  ].join(" \\\n  ");
}

/** Returns the call in Python 3 with its standard library. */
export function pythonOf(call: ExampleCall) {
  const { method, url, headers, authorized, idempotent, sends, answersFile, answersEvents } = call;
  const modules = [
    ...((answersFile || answersEvents) && sends === null ? [] : ["json"]),
    ...(authorized || url.includes("{") ? ["os"] : []),
    "urllib.request",
    ...(idempotent ? ["uuid"] : []),
  ];
  const address = url.includes("{")
    ? `f"${url.replace(/\{(\w+)\}/g, "{os.environ['$1']}")}"`
    : JSON.stringify(url);
  const lines = [
    ...(authorized ? [`"Authorization": f"Bearer {os.environ['API_KEY']}",`] : []),
    ...(idempotent ? ['"Idempotency-Key": str(uuid.uuid4()),'] : []),
    ...headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ];
  return [
    `import ${modules.join(", ")}`,
    "",
    "request = urllib.request.Request(",
    `    ${address},`,
    ...(method === "GET" ? [] : [`    method="${method}",`]),
    ...(lines.length > 0 ? ["    headers={", ...lines.map((line) => `        ${line}`), "    },"] : []),
    ...(sends === "file" ? ['    data=open("FILE", "rb").read(),'] : []),
    ...(sends && sends !== "file" ? [`    data=json.dumps(${pythonValue(sends.json)}).encode(),`] : []),
    ")",
    "with urllib.request.urlopen(request) as response:",
    ...(answersEvents
      ? ["    for line in response:", '        print(line.decode(), end="")']
      : answersFile
        ? ['    open("FILE", "wb").write(response.read())']
        : ["    print(json.load(response))"]),
  ].join("\n");
}

/** Returns a JSON value in Python's syntax. */
function pythonValue(value: unknown, depth = 1): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const pad = "    ".repeat(depth + 1);
  const items = Array.isArray(value)
    ? value.map((item) => pythonValue(item, depth + 1))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonValue(item, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${items.map((item) => `${pad}${item},`).join("\n")}\n${"    ".repeat(depth)}${close}`;
}
