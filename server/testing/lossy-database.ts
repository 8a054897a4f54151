import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll } from "vitest";

const READY = "Z".charCodeAt(0);
const BOUND = "2".charCodeAt(0);

/**
 * An address of the database that loses answers: behind it the next query of the connection gets the answer of the one
 * after. `lose` has the next answer lost of a connection on which `text` was prepared.
 */
export async function startLossyDatabase(url: string, text: string) {
  const { hostname, port } = new URL(url);
  let losing = 0;
  const server = createServer((client) => {
    const database = connect(Number(port), hostname);
    let named = false;
    client.on("data", (chunk) => {
      named ||= chunk.includes(text);
      database.write(chunk);
    });
    passAnswers(database, client, () => named && losing > 0 && losing--);
    const end = () => void [client.destroy(), database.destroy()];
    for (const socket of [client, database]) socket.on("error", end).on("close", end);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  afterAll(() => void server.close());
  return {
    url: url.replace(`:${port}/`, `:${(server.address() as AddressInfo).port}/`),
    lose: () => {
      losing += 1;
    },
  };
}

/** Passes on what the database says, message by message; the answer of a prepared statement as a whole, or not at all. */
function passAnswers(database: Socket, client: Socket, isLost: () => unknown) {
  let pending = Buffer.alloc(0);
  let begins = false;
  let lost = false;
  database.on("data", (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 5) {
      const end = 1 + pending.readUInt32BE(1);
      if (end > pending.length) return;
      if (begins && pending[0] === BOUND) lost = Boolean(isLost());
      if (!lost) client.write(pending.subarray(0, end));
      begins = pending[0] === READY;
      if (begins) lost = false;
      pending = pending.subarray(end);
    }
  });
}
