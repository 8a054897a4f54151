import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";

const api = await startApi();

/** Opens many connections at once; prints how many were accepted in time. */
const CLIENT = `
  const { connect } = require("node:net");
  const [port, count, ms] = process.argv.slice(1).map(Number);
  let accepted = 0;
  const end = () => { console.log(accepted); process.exit(); };
  for (let nth = 0; nth < count; nth++)
    connect(port, "127.0.0.1").on("error", () => undefined).on("connect", () => ++accepted === count && end());
  setTimeout(end, ms);
`;

test("leaves none of two thousand connections waiting that come at once while the process is busy", async () => {
  const { port } = new URL(api.direct);
  // This process, which contains the server, is blocked until the client has ended.
  const client = spawnSync(process.execPath, ["-e", CLIENT, port, "2000", "20000"], { encoding: "utf8" });
  expect(client.stdout.trim()).toBe("2000");
  await expect.poll(async () => (await api.send("GET", "/health")).status).toBe(200);
});
