import { createHash } from "node:crypto";

/**
 * Content whose size and SHA-256 are computed on the way, and the error of the content itself, as opposed to the
 * store's.
 */
export function measure(content: AsyncIterable<Uint8Array>) {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  let broken: { reason: unknown } | undefined;

  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of content) {
        hash.update(chunk);
        sizeBytes += chunk.byteLength;
        yield chunk;
      }
    } catch (reason) {
      broken = { reason };
      throw reason;
    }
  }

  return {
    chunks: chunks(),
    /** Set once it was read to its end. */
    result: () => ({ sizeBytes, sha256: hash.digest("hex") }),
    broken: () => broken,
  };
}
