import type { Readable } from "node:stream";

/** Calls back with each line of UTF-8 text; null stands for a line that is too long. */
export function readLines(stream: Readable, maximum: number, take: (line: string | null) => void): void {
  let begun = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const [first = "", ...others] = chunk.split("\n");
    const lines = [begun + first, ...others];
    begun = lines.pop() ?? "";
    for (const line of lines) take(line.length > maximum ? null : line);
    if (begun.length <= maximum) return;
    begun = "";
    take(null);
  });
}
