/** The blob store failed, rather than what was asked of it. The message names the setting, for the caller to read. */
export class BlobStoreUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "BlobStoreUnavailable";
  }
}

/** The store answers, and does not have the blob. */
export class BlobMissing extends BlobStoreUnavailable {
  constructor(message: string, cause?: unknown) {
    super(message, cause);
    this.name = "BlobMissing";
  }
}
