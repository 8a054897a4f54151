import { currentMs } from "#server/base/clock.ts";
import { newId, newUuid } from "#server/base/ids.ts";
import type { SystemCaller } from "#server/operation/caller.ts";
import { OutboundError } from "#server/providers/http/outbound-error.ts";
import { safeFetch } from "#server/providers/http/safe-fetch.ts";
import { addressOf, callService } from "./call-service.ts";
import { Circuit } from "./circuit.ts";
import { jsonSchemaType } from "./json-schema.ts";
import type { OperatorService, ServiceOperation } from "./manifest.ts";
import { signCall } from "./sign-call.ts";

/** The result of one check. `null`: it could not be made without changing something. */
export interface Finding {
  operationId: string | null;
  good: boolean | null;
  text: string;
}

const WRONG_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OLD_MS = 10 * 60_000;

/** Checks whether a running service conforms to its manifest, without changing anything in it. */
export async function* checkService(service: OperatorService): AsyncGenerator<Finding> {
  const [first] = service.operations as [ServiceOperation];
  const reached = await probe(service, first, {});
  if (reached instanceof OutboundError) {
    yield { operationId: null, good: false, text: `is not reachable: ${reached.message}` };
    return;
  }
  yield { operationId: null, good: true, text: "is reachable" };
  for (const operation of service.operations) {
    yield* checkSignatures(service, operation);
    yield { operationId: operation.id, ...(await checkExample(service, operation)) };
  }
}

/** Checks that unsigned calls, and calls with a foreign or an outdated signature, are refused. */
async function* checkSignatures(
  service: OperatorService,
  operation: ServiceOperation,
): AsyncGenerator<Finding> {
  const body = bodyOf(operation);
  const id = newUuid();
  const old = new Date(currentMs() - OLD_MS);
  const attempts: [string, Record<string, string>][] = [
    ["without a signature", {}],
    ["with a wrong signature", signCall(WRONG_SECRET, { id, body })],
    ["of ten minutes ago", signCall(service.signingSecret, { id, body, at: old })],
  ];
  for (const [which, headers] of attempts) {
    const status = await probe(service, operation, headers);
    const good = status === 401 || status === 403;
    const answered = status instanceof OutboundError ? status.message : `answered ${status}`;
    const text = good
      ? `refuses a call ${which} (${status})`
      : `does not refuse a call ${which}: ${answered}, not 401 or 403`;
    yield { operationId: operation.id, good, text };
  }
}

const exampleOf = ({ inputSchema }: ServiceOperation): unknown =>
  Array.isArray(inputSchema.examples) ? inputSchema.examples[0] : undefined;

/**
 * An input that no operation accepts, so that a service which ignores the signature refuses the input instead of
 * acting.
 */
const bodyOf = ({ id }: ServiceOperation) => JSON.stringify({ operationId: id, input: null, context: null });

async function probe(
  service: OperatorService,
  operation: ServiceOperation,
  headers: Record<string, string>,
): Promise<number | OutboundError> {
  try {
    const answer = await safeFetch(addressOf({ service, operation }), {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": newUuid(), ...headers },
      body: bodyOf(operation),
      timeoutMs: service.timeoutMs,
      trusted: true,
    });
    await answer.start(0);
    return answer.status;
  } catch (error) {
    if (error instanceof OutboundError) return error;
    throw error;
  }
}

/** Calls a reading operation with its schema's first example, as the platform would. */
async function checkExample(
  service: OperatorService,
  operation: ServiceOperation,
): Promise<Omit<Finding, "operationId">> {
  if (!operation.readOnly) return { good: null, text: "was not called: it changes something" };
  const example = exampleOf(operation);
  if (example === undefined) return { good: null, text: "was not called: its inputSchema has no examples" };
  if (!jsonSchemaType(operation.inputSchema).safeParse(example).success)
    return { good: false, text: "has an example that its own inputSchema refuses" };
  const target = {
    service,
    operation,
    output: jsonSchemaType(operation.outputSchema),
    circuit: new Circuit(),
  };
  const call = { input: example, caller: NOBODY, requestId: newId("request"), idempotencyKey: newUuid() };
  const outcome = await callService(target, { ...call, connectionId: null });
  if (outcome.outcome !== "done") return { good: false, text: outcome.error.message };
  return { good: true, text: `answers its example: ${outcome.status}, ${outcome.credits} credits` };
}

/** The caller of examples: an account that does not exist. */
const NOBODY: SystemCaller = {
  type: "system",
  id: "system",
  label: "services:check",
  accountId: newId("account"),
  scopes: [],
  project: null,
  endUser: null,
  privacyTier: "standard",
  creditTokenId: null,
};
