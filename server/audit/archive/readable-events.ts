import { currentMs } from "#server/base/clock.ts";
import { DAY_MS } from "#server/base/durations.ts";
import { timeOf, toUuid } from "#server/base/ids.ts";
import { log } from "#server/base/log.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import { BlobStoreUnavailable } from "#server/providers/blobs/unavailable.ts";
import { type Archive, ArchiveDamaged, readArchivedEvents } from "./archive-store.ts";
import type { ArchivedLine } from "./archived-line.ts";

const RECENT_MS = 27 * DAY_MS;

/** True if a moment is too recent for its events to be archived: a month is archived a month after its end at the earliest. */
export function isTooRecent(moment: string | undefined): boolean {
  return moment !== undefined && Date.parse(moment) > currentMs() - RECENT_MS;
}

/** Returns the events of an archive; responds 503 if the blob store fails or lacks the archive's blob. */
export async function readableEvents(archive: Archive): Promise<ArchivedLine[]> {
  try {
    return await readArchivedEvents(platform().blobs, archive);
  } catch (cause) {
    if (cause instanceof BlobStoreUnavailable)
      throw unavailable(
        `${cause.message} It has the audit events of past months; \`from\` selects newer ones.`,
        cause,
      );
    if (!(cause instanceof ArchiveDamaged)) throw cause;
    log.error("Archived audit events can't be read.", { error: cause });
    const [from, to] = [archive.firstId, archive.lastId].map((id) =>
      timeOf(toUuid("auditEvent", id)).toISOString(),
    );
    throw unavailable(
      `The archive of the audit events from ${from} to ${to} ${cause.fault} the platform's blob store. Tell the operator; \`from\` and \`to\` select other events.`,
      cause,
    );
  }
}

function unavailable(message: string, cause: Error): ApiError {
  return new ApiError(
    "service_unavailable",
    message,
    { operationState: "not_started", retryAfterSeconds: 5 },
    { cause },
  );
}
