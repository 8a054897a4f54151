import { currentTime } from "#server/base/clock.ts";
import { platform } from "#server/platform.ts";
import { judgeAgain } from "./admit.ts";
import { prefersBytes } from "./bytes.ts";
import type { AdmittedCall, Call, ValidCall } from "./call.ts";
import type { CallResponse } from "./call-response.ts";
import type { Caller } from "./caller.ts";
import { recordOf } from "./claim.ts";
import type { Target } from "./declaration.ts";
import { idempotencyKeyOf } from "./idempotency.ts";
import { type ParsedInput, parseInput } from "./input.ts";
import { refuseAfterSunset } from "./lifecycle.ts";
import type { CallRequest, SentPayment } from "./operation.ts";
import { headersOf, refuseBytes, trackBytes } from "./upload.ts";

const UNPAID: SentPayment = { signature: [], legacy: [] };

/**
 * Refuses a call whose input is faulty by itself; faults that depend on the current state are refused after
 * the claim.
 */
export async function validate(
  call: Call,
  admission: AdmittedCall | null,
  started: number,
  callAnother: CallRequest["call"],
): Promise<ValidCall> {
  const { operation } = call;
  refuseAfterSunset(operation);
  // A repeated header is refused by every operation; operations that need none ignore a single one.
  const keyed = operation.idempotent || call.idempotencyKeys.length > 1;
  const idempotencyKey = keyed ? idempotencyKeyOf(call.idempotencyKeys) : null;
  const { raw } = operation;
  const sent = raw ? call.sentBytes : undefined;
  if (raw && sent) refuseBytes(raw, sent);
  const input = await parseInput(
    operation,
    {
      params: call.params,
      readQuery: call.readQuery,
      readBody: call.readBody,
      ...(raw && sent && { readHeaders: () => headersOf(raw, sent) }),
    },
    admission?.at ?? currentTime(),
  );
  const { response, context } = contextOf(call, admission, input, { idempotencyKey, callAnother });
  const external = operation.readsOnly?.(input) ? "reads" : operation.external;
  return {
    call,
    started,
    admission,
    context,
    response,
    bytes: sent && trackBytes(sent, input.headers ?? {}, context.response),
    external,
    record:
      admission && idempotencyKey !== null
        ? recordOf(call, { caller: admission.caller, input, key: idempotencyKey, external })
        : null,
  };
}

/** Returns the handler's context, and the response on which it sets status and headers. */
function contextOf(
  call: Call,
  admission: AdmittedCall | null,
  input: ParsedInput,
  { idempotencyKey, callAnother }: { idempotencyKey: string | null; callAnother: CallRequest["call"] },
): Pick<ValidCall, "context" | "response"> {
  const { operation } = call;
  const response: CallResponse = { status: operation.status, headers: {}, body: "", error: null };
  const context = {
    ...input,
    caller: admission?.caller as Caller,
    db: platform().database.db,
    request: {
      id: call.requestId,
      runId: call.runId ?? null,
      runDepth: call.runDepth ?? 0,
      tick: call.tick ?? null,
      at: admission?.at ?? currentTime(),
      signal: call.signal,
      sendsParts: call.transport === "api",
      baseUrl: platform().settings.baseUrl,
      idempotencyKey,
      call: callAnother,
      payment: call.payment ?? UNPAID,
      lastEventId: call.byteRequest?.header("last-event-id") || null,
      judgeAgain: (target: Target) => judgeAgain(call, target),
      progress: call.progress,
      wantsBytes(mediaType: string) {
        if (!operation.bytes || !call.byteRequest) return false;
        return (
          operation.bytes.when === "always" || prefersBytes(call.byteRequest.header("accept"), mediaType)
        );
      },
    },
    response: {
      header(name: string, value: string) {
        response.headers[name.toLowerCase()] = value;
      },
      charged(credits: number) {
        response.headers["x-service-credits-charged"] = String(credits);
      },
      status(status: 200 | 201 | 202) {
        if (!operation.otherStatuses?.[status])
          throw new Error(`${operation.operationId} declares no status ${status}.`);
        response.status = status;
      },
    },
  };
  return { response, context };
}
