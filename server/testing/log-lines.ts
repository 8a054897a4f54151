const MAX_LINES = 500;
const MAX_RETURNED = 50;

const lines: string[] = [];

/** The request id of a line as `log` writes it, for programs or for a terminal. */
const REQUEST_ID = /"requestId":"([^"]+)"|\brequestId=(\S+)/;

const observed = new Proxy(process.stderr.write, {
  apply(write, stream, written) {
    const [line] = written;
    if (typeof line === "string" && REQUEST_ID.test(line)) lines.push(line.trimEnd());
    if (lines.length > MAX_LINES) lines.shift();
    return Reflect.apply(write, stream, written);
  },
});

/**
 * Keeps the newest lines of this process's log that have a request id; they are still written. Removes a spy on the
 * stream that another test file left behind.
 */
export function keepLogLines(): void {
  process.stderr.write = observed;
}

/** Returns the newest kept lines of the log that belong to these requests, in their order. */
export function findLogLines(requestIds: ReadonlySet<string>): string[] {
  const belongs = (line: string) => {
    const [, structured, pretty] = REQUEST_ID.exec(line) ?? [];
    return requestIds.has(structured ?? pretty ?? "");
  };
  return lines.filter(belongs).slice(-MAX_RETURNED);
}
