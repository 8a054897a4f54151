import { openDiskStore } from "./disk.ts";
import { openS3Store, type S3Settings } from "./s3.ts";

/** Where blobs are kept: in a folder, or in a bucket of any S3 API. */
export type BlobSettings = { folder: string } | S3Settings;

/** Bytes as they were stored. */
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

/** Keeps bytes of any size under keys that the platform makes (UUIDs), in memory that does not grow with them. */
export interface BlobStore {
  /** What people call it, with its setting. */
  readonly title: string;
  /** Stores all of it or nothing. A failure of `content` itself is thrown as it is. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<StoredBlob>;
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array>>;
  /** Deletes the blob and what a broken-off `put` has left of it; one that is not there is deleted already. */
  delete(key: string): Promise<void>;
  /** Throws where blobs could not be stored right now. */
  check(): Promise<void>;
}

/** Opens the store that the settings name. It is reached for when it is used, so it may come and go. */
export function openBlobStore(settings: BlobSettings): BlobStore {
  return "folder" in settings ? openDiskStore(settings.folder) : openS3Store(settings);
}
