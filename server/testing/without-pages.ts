import type { ServerResponse } from "node:http";

/** Replaces Next.js: there are no pages. */
export async function startNext() {
  return {
    dev: false,
    handle: async (_: unknown, answer: ServerResponse) => void answer.writeHead(404).end(),
    close: async () => undefined,
  };
}
