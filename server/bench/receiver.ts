import { createServer } from "node:http";
import { portOf } from "../boot/processes.ts";

// An endpoint that accepts every delivery at once; prints its port.
const server = createServer((request, response) => {
  request.resume().on("end", () => response.end("ok"));
}).listen(0, "127.0.0.1", () => console.log(portOf(server)));
