const BLOCK = 512;

/** Returns a tar archive (ustar) of these files, byte for byte the same for the same files. */
export function tarOf(files: readonly { path: string; content: Uint8Array }[]): Buffer {
  const parts = files.flatMap(({ path, content }) => [
    headerOf(path, content.byteLength),
    content,
    Buffer.alloc((BLOCK - (content.byteLength % BLOCK)) % BLOCK),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function headerOf(path: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, "0")}\0`;
  header.write(path, 0, 100);
  header.write(octal(0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  // npm uses this time for all packed files too: 1985-10-26.
  header.write(octal(499_162_500, 12), 136);
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\0" + "00", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}
