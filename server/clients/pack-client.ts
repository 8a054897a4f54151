import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { sourceFolder } from "#server/base/source-folder.ts";

const run = promisify(execFile);

/** The packages that an installation serves: the name in their address, and the folder of their sources. */
export const CLIENTS = { sdk: "typescript", cli: "cli" } as const;
export type ClientName = keyof typeof CLIENTS;

/** Builds a client and packs it as `npm pack` does, with the version of this installation. */
export async function packClient(name: ClientName): Promise<Buffer> {
  const root = sourceFolder();
  const source = join(root, "clients", CLIENTS[name]);
  const dist = await mkdtemp(join(tmpdir(), `${name}-`));
  try {
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    // Types are checked with the sources.
    await run(process.execPath, [compiler, "--project", source, "--outDir", dist, "--noCheck"]);
    const names = (await readdir(dist, { recursive: true })).filter((file) => /\.(js|d\.ts)$/.test(file));
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const manifest = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
    const files = [
      {
        path: "package/package.json",
        content: Buffer.from(`${JSON.stringify({ ...manifest, version }, null, 2)}\n`),
      },
      { path: "package/README.md", content: await readFile(join(source, "README.md")) },
      ...(await Promise.all(
        names.sort().map(async (file) => ({
          path: `package/dist/${file.replaceAll("\\", "/")}`,
          content: await readFile(join(dist, file)),
        })),
      )),
    ];
    return gzipSync(tarOf(files), { level: 9 });
  } finally {
    await rm(dist, { recursive: true, force: true });
  }
}

const BLOCK = 512;

/** Returns a tar archive (ustar) of these files, byte for byte the same for the same files. */
function tarOf(files: readonly { path: string; content: Uint8Array }[]): Buffer {
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
