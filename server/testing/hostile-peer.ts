import { createServer, type Socket } from "node:net";
import { portOf } from "#server/boot/processes.ts";
import { onCleanup } from "./cleanup.ts";

/** Starts a peer that sends arbitrary bytes: `speak` is called with the connection for each request. */
export async function startHostile(speak: (socket: Socket, request: string, nth: number) => void) {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (data) => speak(socket, String(data), ++requests));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onCleanup(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const port = portOf(server);
  return {
    url: `http://127.0.0.1:${port}/`,
    host: `127.0.0.1:${port}`,
    port,
    requests: () => requests,
    connections: () => sockets.size,
    sent: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
  };
}

/** Writes the text repeatedly for as long as the other side reads it. */
export function writeForEver(socket: Socket, text: string | Buffer, pauseMs = 0) {
  const next = () => {
    if (socket.destroyed) return;
    if (pauseMs > 0) socket.write(text, () => setTimeout(next, pauseMs));
    else if (socket.write(text)) setImmediate(next);
    else socket.once("drain", next);
  };
  next();
}
