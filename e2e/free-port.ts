import { createServer } from "node:net";

/** A port that nothing listens on. */
export function freePort() {
  return new Promise<number>((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}
