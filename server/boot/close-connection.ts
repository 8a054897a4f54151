import type { Socket } from "node:net";

/** What a client may still send, and for how long, after the answer that closes its connection. */
const BYTES = 16 * 1024 * 1024;
const MILLISECONDS = 15_000;
/** How long it may be silent meanwhile. */
const SILENT_MILLISECONDS = 2000;
const LOOK_MILLISECONDS = 100;

const closing = new WeakSet<Socket>();

/**
 * Closes a connection so that its last answer arrives: a socket that is closed with bytes still unread is reset, and the
 * client loses the answer with it. Ends our direction, and reads the other away up to a bound (RFC 9112, 9.6).
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
