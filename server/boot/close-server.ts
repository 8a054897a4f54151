import type { Server } from "node:http";

const SWEEP_MS = 50;

/**
 * Takes no new connections, lets requests under way finish for up to `milliseconds`, then closes every connection.
 * `abortStreams` is called until then: a request that came last may begin a stream still.
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
