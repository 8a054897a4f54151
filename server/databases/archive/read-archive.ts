import { createHash } from "node:crypto";
import { createInflateRaw } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { isSigned } from "#server/base/ed25519.ts";
import { messageOf } from "#server/base/thrown.ts";
import { CATALOGUE, MANIFEST, Manifest, SCHEMA, SIGNATURE, tablePath } from "./manifest.ts";

/** Why an archive is refused, with the entry that the fault is in. */
export class ArchiveFault extends Error {
  readonly entry: string | null;

  constructor(message: string, entry: string | null = null) {
    super(message);
    this.entry = entry;
  }
}

export interface ArchiveBounds {
  /** Bytes of all entries together, unpacked. */
  maximumBytes: number;
  /** Raw public keys (base64) that are trusted; null: any, and the caller checks `manifest.publicKey`. */
  trusted: readonly string[] | null;
}

/** A verified archive: every byte matches its manifest, which a trusted key has signed. */
export interface Archive {
  manifest: Manifest;
  read(path: string): Promise<AsyncIterable<Uint8Array>>;
  close(): void;
}

const MANY = 10_000;
const PIECE_BYTES = 256 * 1024;
const SMALL_BYTES = 16 * 1_048_576;

/** Opens the archive in this file and verifies all of it. Throws `ArchiveFault`. */
export async function openArchive(path: string, { maximumBytes, trusted }: ArchiveBounds): Promise<Archive> {
  const zip = await open(path);
  try {
    const entries = await listEntries(zip, maximumBytes);
    const read = async (path: string) => streamOf(zip, entryOf(entries, path));
    const bytes = await readWhole(await read(MANIFEST), MANIFEST);
    const publicKey = namedKeyOf(bytes);
    const signature = (await readWhole(await read(SIGNATURE), SIGNATURE)).toString();
    if (trusted && !trusted.includes(publicKey))
      throw new ArchiveFault(
        `It is signed by the key ${publicKey}, which is not trusted here. Set TRUSTED_ARCHIVE_KEYS.`,
        SIGNATURE,
      );
    if (!isSigned(bytes, signature, publicKey))
      throw new ArchiveFault("The signature does not fit the manifest.", SIGNATURE);
    const manifest = parse(bytes);
    if (manifest.publicKey !== publicKey)
      throw new ArchiveFault("It names several keys that signed it.", MANIFEST);
    await checkFiles(entries, manifest, read);
    return { manifest, read, close: () => zip.close() };
  } catch (reason) {
    zip.close();
    throw reason;
  }
}

async function open(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
  } catch (cause) {
    throw new ArchiveFault(`It is no complete zip archive: ${messageOf(cause).replace(/\.$/, "")}.`);
  }
}

async function listEntries(zip: ZipFile, maximumBytes: number): Promise<Map<string, Entry>> {
  if (zip.entryCount > MANY) throw new ArchiveFault(`It has ${zip.entryCount} entries, more than ${MANY}.`);
  const entries = new Map<string, Entry>();
  let total = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName;
      if (entries.has(name)) throw new ArchiveFault("The entry stands in it twice.", name);
      if (![MANIFEST, SIGNATURE, SCHEMA, CATALOGUE].includes(name) && !/^tables\/[^/\\]+\.ndjson$/.test(name))
        throw new ArchiveFault("An archive has no entry of this name.", name);
      total += entry.uncompressedSize;
      if (total > maximumBytes)
        throw new ArchiveFault(`It unpacks to more than ${maximumBytes} bytes.`, name);
      entries.set(name, entry);
    }
  } catch (reason) {
    if (reason instanceof ArchiveFault) throw reason;
    throw new ArchiveFault(`It is no well-formed zip archive: ${messageOf(reason)}.`);
  }
  return entries;
}

function entryOf(entries: ReadonlyMap<string, Entry>, path: string): Entry {
  const entry = entries.get(path);
  if (!entry) throw new ArchiveFault("The entry is missing.", path);
  return entry;
}

/**
 * Yields the content of an entry in larger pieces than the zip's own reader does: each piece costs a turn of the thread
 * pool.
 */
async function streamOf(zip: ZipFile, entry: Entry): Promise<AsyncIterable<Uint8Array>> {
  try {
    if (!entry.isCompressed()) return await zip.openReadStreamPromise(entry);
    const packed = await zip.openReadStreamPromise(entry, { decompress: false });
    const unpacked = createInflateRaw({ chunkSize: PIECE_BYTES });
    packed.on("error", (reason) => unpacked.destroy(reason));
    return ofSize(packed.pipe(unpacked), entry.uncompressedSize);
  } catch (cause) {
    throw new ArchiveFault(`It can't be read: ${messageOf(cause)}.`, entry.fileName);
  }
}

/** Refuses an entry that is longer or shorter than the zip declares. */
async function* ofSize(content: AsyncIterable<Uint8Array>, declared: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > declared) break;
    yield chunk;
  }
  if (size !== declared) throw new Error(`it has other than the ${declared} bytes that the zip declares`);
}

async function readWhole(content: AsyncIterable<Uint8Array>, path: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of faultsOf(content, path)) {
    size += chunk.byteLength;
    if (size > SMALL_BYTES) throw new ArchiveFault(`It has more than ${SMALL_BYTES} bytes.`, path);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* faultsOf(content: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (cause) {
    throw new ArchiveFault(`It can't be unpacked: ${messageOf(cause)}.`, path);
  }
}

/** Reads the signer's key before the manifest is parsed: an untrusted manifest may have millions of faults. */
function namedKeyOf(bytes: Buffer): string {
  const [, key] = /"publicKey":\s?"([A-Za-z0-9+/]{43}=)"/.exec(bytes.toString("latin1")) ?? [];
  if (key === undefined)
    throw new ArchiveFault(
      "It is no manifest of this format: it does not name the key that signed it.",
      MANIFEST,
    );
  return key;
}

function parse(bytes: Buffer): Manifest {
  try {
    return Manifest.parse(JSON.parse(bytes.toString()));
  } catch (cause) {
    throw new ArchiveFault(`It is no manifest of this format: ${messageOf(cause).slice(0, 200)}.`, MANIFEST);
  }
}

async function checkFiles(
  entries: ReadonlyMap<string, Entry>,
  manifest: Manifest,
  read: (path: string) => Promise<AsyncIterable<Uint8Array>>,
): Promise<void> {
  const listed = new Set(manifest.files.map(({ path }) => path));
  const described = manifest.format === "managed-database/1" ? [] : [CATALOGUE];
  for (const path of [SCHEMA, ...described, ...manifest.tables.map(({ name }) => tablePath(name))])
    if (!listed.has(path)) throw new ArchiveFault("The manifest does not list it.", path);
  for (const path of entries.keys())
    if (path !== MANIFEST && path !== SIGNATURE && !listed.has(path))
      throw new ArchiveFault("The manifest does not list it.", path);
  for (const { path, sha256, sizeBytes } of manifest.files) {
    entryOf(entries, path);
    const hash = createHash("sha256");
    let size = 0;
    for await (const chunk of faultsOf(await read(path), path)) {
      hash.update(chunk);
      size += chunk.byteLength;
    }
    if (size !== sizeBytes)
      throw new ArchiveFault(`It has ${size} bytes; the manifest says ${sizeBytes}.`, path);
    const found = hash.digest("hex");
    if (found !== sha256)
      throw new ArchiveFault(`Its SHA-256 is ${found}; the manifest says ${sha256}.`, path);
  }
}
