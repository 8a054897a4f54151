import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// An endpoint that takes everything at once: prints its port.
const server = createServer((request, response) => {
  request.resume().on("end", () => response.end("ok"));
}).listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
