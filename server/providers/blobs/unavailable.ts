/** The blob store itself failed. The message names the setting, for the caller. */
export class BlobStoreUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "BlobStoreUnavailable";
  }
}

/** The store responds but does not have the blob. */
export class BlobMissing extends BlobStoreUnavailable {
  constructor(message: string, cause?: unknown) {
    super(message, cause);
    this.name = "BlobMissing";
  }
}
