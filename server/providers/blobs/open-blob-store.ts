import type { BlobSettings, BlobStore } from "./blob-store.ts";
import { openDiskStore } from "./disk.ts";
import { openS3Store } from "./s3.ts";

/** Opens the store that the settings name; connects on each use, so it may come and go. */
export function openBlobStore(settings: BlobSettings): BlobStore {
  return "folder" in settings ? openDiskStore(settings.folder) : openS3Store(settings);
}
