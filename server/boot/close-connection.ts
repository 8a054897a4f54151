import type { Socket } from "node:net";

/** How many bytes a client may still send, and for how long, after the response that closes its connection. */
const BYTES = 16 * 1024 * 1024;
const MILLISECONDS = 15_000;
/** The longest silence of the client during that time. */
const SILENT_MILLISECONDS = 2000;
const LOOK_MILLISECONDS = 100;

const closing = new WeakSet<Socket>();

/**
 * Closes a connection so that its last response arrives: closing a socket with unread bytes resets it, and the client
 * loses the response. Ends our direction, and discards the other up to a bound (RFC 9112, 9.6).
 */
export function closeGently(socket: Socket): void {
  if (socket.destroyed || closing.has(socket)) return;
  closing.add(socket);
  socket.end();
  socket.resume();
  const deadline = Date.now() + MILLISECONDS;
  const mostRead = socket.bytesRead + BYTES;
  let read = socket.bytesRead;
  let silentUntil = Date.now() + SILENT_MILLISECONDS;
  const watch = setInterval(() => {
    const now = Date.now();
    if (socket.bytesRead !== read) silentUntil = now + SILENT_MILLISECONDS;
    read = socket.bytesRead;
    if (now > deadline || now > silentUntil || read > mostRead) socket.destroy();
  }, LOOK_MILLISECONDS);
  watch.unref();
  socket.once("end", () => socket.destroy());
  socket.once("close", () => clearInterval(watch));
}
