import type { Socket } from "node:net";

/** How many bytes a client may still send, and for how long, after the response that closes its connection. */
const GRACE_BYTES = 16 * 1024 * 1024;
const GRACE_MS = 15_000;
/** The longest silence of the client during that time. */
const SILENCE_MS = 2000;
const CHECK_MS = 100;

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
  const deadline = Date.now() + GRACE_MS;
  const maximumRead = socket.bytesRead + GRACE_BYTES;
  let read = socket.bytesRead;
  let silenceEnds = Date.now() + SILENCE_MS;
  const check = setInterval(() => {
    const now = Date.now();
    if (socket.bytesRead !== read) silenceEnds = now + SILENCE_MS;
    read = socket.bytesRead;
    if (now > deadline || now > silenceEnds || read > maximumRead) socket.destroy();
  }, CHECK_MS);
  check.unref();
  socket.once("end", () => socket.destroy());
  socket.once("close", () => clearInterval(check));
}
