/** A bucket of an S3 API, addressed by path: `https://host/bucket/prefix`. */
export interface S3Settings {
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** The location of blobs: a folder, or a bucket of any S3 API. */
export type BlobSettings = { folder: string } | S3Settings;

/** The result of storing bytes. */
export interface StoredBlob {
  key: string;
  sizeBytes: number;
  /** Hex. */
  sha256: string;
}

/** A part of a blob; both ends are within it. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Stores bytes of any size under the platform's own keys (UUIDs), in constant memory. */
export interface BlobStore {
  /** Its name for people, with its setting. */
  readonly title: string;
  /** Stores all of it or nothing. Errors of `content` itself are rethrown unchanged. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<StoredBlob>;
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array>>;
  /** Deletes the blob and the remains of an interrupted `put`; a missing blob counts as deleted. */
  delete(key: string): Promise<void>;
  /** Throws if blobs cannot be stored right now. */
  check(): Promise<void>;
}
