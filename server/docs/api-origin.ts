import { runningPlatform } from "#server/platform.ts";

/** Returns the origin of the API where it is another than this installation's own. */
export function sharedApiOrigin(): string | undefined {
  return runningPlatform()?.settings.apiOrigin;
}
