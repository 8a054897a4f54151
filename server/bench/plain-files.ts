import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { defined } from "../base/defined.ts";
import { portOf } from "../boot/processes.ts";

// A minimal file server: hashes, writes and syncs uploads, and serves downloads. `node plain-files.ts FOLDER` prints
// its port.
let file = "";
let count = 0;

const server = createServer(async (request, response) => {
  if (request.method === "GET") {
    response.setHeader("content-length", statSync(file).size);
    return pipeline(createReadStream(file), response);
  }
  file = join(defined(process.argv[2]), `plain-${++count}`);
  const hash = createHash("sha256");
  await pipeline(
    request,
    async function* (chunks) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(file, { flush: true }),
  );
  response.end(hash.digest("hex"));
});
server.listen(0, "127.0.0.1", () => console.log(portOf(server)));
