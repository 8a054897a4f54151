import { log } from "#server/base/log.ts";
import { telemetry } from "#server/base/telemetry.ts";

/** Logs a line for each call, by whichever transport it comes. */
export function startRequestLog() {
  telemetry.requestLog = ({ requestId, operation, transport }, { response, accountId }, ms) =>
    log.info("A call ended.", {
      requestId,
      ...(accountId !== null && { accountId }),
      operationId: operation.operationId,
      transport,
      status: response.status,
      ...(response.error && { code: response.error.code }),
      durationMs: Math.round(ms * 10) / 10,
    });
  return {
    stop() {
      telemetry.requestLog = null;
    },
  };
}
