import type { Server } from "node:http";

const SWEEP_MS = 50;

/**
 * Accepts no new connections, lets running requests finish for up to `milliseconds`, then closes every connection.
 * Calls `abortStreams` until then, since a late request may still begin a stream.
 */
export async function closeServer(
  server: Server,
  milliseconds: number,
  abortStreams: () => void,
): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  abortStreams();
  const sweep = setInterval(() => {
    abortStreams();
    server.closeIdleConnections();
  }, SWEEP_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), milliseconds);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
