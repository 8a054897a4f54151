import { connect } from "node:net";
import { defined } from "../base/defined.ts";

// Sends one request after the other on each of many connections, until it is killed:
// `node flood.ts PORT CONNECTIONS METHOD PATH AUTHORIZATION [BODY]`. Plain sockets, so that the client itself takes little
// of the processor.
const [port, connections, method, path, authorization, body = ""] = process.argv.slice(2);
const content = body && `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
let sent = 0;

const request = () => `${method} ${path} HTTP/1.1\r
host: localhost\r
authorization: ${authorization}\r
idempotency-key: flood-${process.pid}-${++sent}\r
${content}\r
${body}`;

for (let nth = 0; nth < Number(connections); nth++) {
  const socket = connect(Number(port), "127.0.0.1");
  let received = "";
  socket.on("connect", () => socket.write(request()));
  socket.on("data", (bytes) => {
    received += bytes.toString("latin1");
    const head = received.indexOf("\r\n\r\n");
    if (head < 0) return;
    const [, length] = defined(/^content-length: (\d+)/im.exec(received) ?? undefined);
    if (received.length < head + 4 + Number(length)) return;
    received = "";
    socket.write(request());
  });
  socket.on("error", () => process.exit(1));
}
