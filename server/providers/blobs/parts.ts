/** The size of a part: an S3 API takes 10,000 of them, so a blob may have 80 GB. */
export const PART_BYTES = 8 * 1024 * 1024;

/** Joins chunks into parts of this size; the last is the remainder. Each part overwrites the previous one. */
export async function* inParts(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  const part = new Uint8Array(PART_BYTES);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let taken = 0; taken < chunk.byteLength; ) {
      const piece = chunk.subarray(taken, taken + PART_BYTES - filled);
      part.set(piece, filled);
      filled += piece.byteLength;
      taken += piece.byteLength;
      if (filled === PART_BYTES) {
        yield part;
        filled = 0;
      }
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}
