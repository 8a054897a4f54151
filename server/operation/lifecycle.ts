import { currentMs } from "#server/base/clock.ts";
import { platform } from "#server/platform.ts";
import { ApiError } from "./errors.ts";
import type { Operation } from "./operation.ts";

/**
 * Returns the headers of a deprecated operation: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to
 * its successor.
 */
export function lifecycleHeaders(operation: Operation): Record<string, string> {
  if (!operation.deprecation) return {};
  const { since, sunset, successor } = operation.deprecation;
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${platform().settings.baseUrl}/docs/${successor}>; rel="successor-version"`,
  };
}

/** Refuses a deprecated operation once its sunset has passed. */
export function refuseAfterSunset({ id, deprecation }: Operation): void {
  if (deprecation && Date.parse(deprecation.sunset) <= currentMs()) {
    throw new ApiError(
      "operation_sunset",
      `${id} stopped working on ${deprecation.sunset}. Use ${deprecation.successor}.`,
    );
  }
}
