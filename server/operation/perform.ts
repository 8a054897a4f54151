import { uuidOf } from "#server/ids.ts";
import { recordOnCreditToken } from "#server/keys/credit-tokens.ts";
import { platform } from "#server/platform.ts";
import { type Admission, archivedProject } from "./admission.ts";
import { ByteAnswer, type ByteRequest, draftOf, prefersBytes } from "./bytes.ts";
import type { Caller } from "./caller.ts";
import { ApiError } from "./errors.ts";
import type { Call } from "./execute.ts";
import { callRecord, fingerprintsOf, idempotencyKeyOf } from "./idempotency.ts";
import { invalidRequest, type ParsedInput, parseInput, storable } from "./input.ts";
import { refuseAfterSunset } from "./lifecycle.ts";
import type { Operation, SentPayment } from "./operation.ts";
import { type AuditRecord, callerUuid } from "./recorder.ts";
import { type Draft, runIdempotently } from "./run-idempotently.ts";
import { headersOf, refuseBytes, trackBytes } from "./upload.ts";
import { WrittenAnswer } from "./written.ts";

const REPLAY_HOURS = 24;
const MONEY_REPLAY_HOURS = 30 * 24;
const UNPAID: SentPayment = { signature: [], legacy: [] };

type EventOf = (draft: Draft, resource: string | null) => AuditRecord | null;

interface Performed {
  draft: Draft;
  /** Whether its audit event is stored. */
  recorded: boolean;
  /** Whether a crash of the database can still take back what is stored. */
  unflushed: boolean;
}

/** Checks the input of an admitted call, claims its idempotency key and handles it. */
export async function perform(call: Call, admission: Admission | null, eventOf: EventOf): Promise<Performed> {
  const { operation } = call;
  refuseAfterSunset(operation);
  // Sent twice it is refused by every operation; what needs none ignores a single one.
  const keyed = operation.idempotent || call.idempotencyKeys.length > 1;
  const idempotencyKey = keyed ? idempotencyKeyOf(call.idempotencyKeys) : null;
  const sent = operation.raw ? call.sentBytes : undefined;
  if (operation.raw && sent) refuseBytes(operation.raw, sent);
  const { raw } = operation;
  const input = await parseInput(
    operation,
    {
      params: call.params,
      readQuery: call.readQuery,
      readBody: call.readBody,
      ...(raw && sent && { readHeaders: () => headersOf(raw, sent) }),
    },
    admission?.at ?? new Date(),
  );
  const { draft, context } = contextOf(call, admission, input, idempotencyKey);
  if (!admission || idempotencyKey === null) {
    refuseState(operation, context);
    const output = await operation.handler(context);
    if (output instanceof ByteAnswer)
      return unrecorded(await draftOf(output, call.byteRequest as ByteRequest));
    return unrecorded({ ...draft, body: envelope(operation, output) });
  }
  const { caller } = admission;
  const bytes = sent && trackBytes(sent, input.headers ?? {}, context.reply);
  const {
    draft: made,
    event,
    unflushed,
  } = await runIdempotently({
    record: recordFor(call, caller, input, idempotencyKey),
    sealSecret:
      call.credential.type !== "none" && (operation.secretOutput || caller.privacyTier === "strict")
        ? call.credential.secret
        : null,
    compare: bytes?.compare,
    external: operation.external,
    async attempt(commit, effectId) {
      // Not before the claim: a repeat gets its stored answer whatever has changed since.
      refuseState(operation, context);
      if (operation.external)
        return operation.handler({ ...context, commit, effectId, upload: bytes?.upload });
      return commit((tx) => operation.handler({ ...context, db: tx }) as Promise<Record<string, unknown>>);
    },
    answer: (output) => ({ ...draft, body: envelope(operation, output) }),
    event: (result, output) => eventOf(result, resourceOf(call, output)) as AuditRecord,
  });
  if (event !== null) return { draft: made, recorded: true, unflushed };
  return unrecorded(await refreshed(operation, caller, made));
}

type CallContext = ReturnType<typeof contextOf>["context"];

/** Refuses what is faulty only as of now: a name that nothing has, or a project that is archived. */
function refuseState(operation: Operation, { caller, body, request }: CallContext): void {
  const faults = operation.bodyFaults?.(body, request.at) ?? [];
  if (faults.length > 0) throw invalidRequest(faults);
  const { project } = caller ?? {};
  if (project?.status !== "archived") return;
  if (!project.bound) throw archivedProject(project.id);
  if (operation.idempotent)
    throw new ApiError(
      "state_conflict",
      `Project ${project.id} is archived: reading works, writing does not.`,
    );
}

const unrecorded = (draft: Draft): Performed => ({ draft, recorded: false, unflushed: false });

/** A replayed answer with its thing as it is now, where the operation says how that is read. */
async function refreshed(operation: Operation, caller: Caller, stored: Draft): Promise<Draft> {
  if (!operation.refresh) return stored;
  const { db } = platform().database;
  const { ok: _, ...output } = JSON.parse(stored.body);
  const now = await operation.refresh({ output, caller, db });
  return { ...stored, status: now.status, body: envelope(operation, now.output) };
}

function contextOf(
  call: Call,
  admission: Admission | null,
  input: ParsedInput,
  idempotencyKey: string | null,
) {
  const { operation } = call;
  const draft: Draft = { status: operation.status, headers: {}, body: "" };
  const context = {
    ...input,
    caller: admission?.caller as Caller,
    db: platform().database.db,
    request: {
      id: call.requestId,
      at: admission?.at ?? new Date(),
      signal: call.signal,
      baseUrl: platform().settings.baseUrl,
      idempotencyKey,
      payment: call.payment ?? UNPAID,
      wantsBytes(mediaType: string) {
        if (!operation.bytes || !call.byteRequest) return false;
        return (
          operation.bytes.when === "always" || prefersBytes(call.byteRequest.header("accept"), mediaType)
        );
      },
    },
    reply: {
      header(name: string, value: string) {
        draft.headers[name.toLowerCase()] = value;
      },
      charged(credits: number) {
        draft.headers["x-service-credits-charged"] = String(credits);
      },
      status(status: 200 | 201 | 202) {
        if (!operation.otherStatuses?.[status])
          throw new Error(`${operation.operationId} declares no status ${status}.`);
        draft.status = status;
      },
    },
  };
  return { draft, context };
}

function recordFor(call: Call, caller: Caller, input: ParsedInput, key: string) {
  const { database, settings, liveness, claims } = platform();
  const fingerprints = fingerprintsOf(settings.fingerprintSecrets, {
    method: call.operation.method,
    path: call.operation.path,
    ...input,
    project: call.project,
    endUser: call.endUser,
    contentType: call.contentType,
  });
  if (caller.type === "system" && caller.creditTokenId)
    return recordOnCreditToken(database, caller, key, fingerprints);
  return callRecord(database.admission, {
    accountId: uuidOf("account", caller.accountId) as string,
    callerId: callerUuid(caller) as string,
    key,
    fingerprints,
    keepHours: call.operation.movesMoney ? MONEY_REPLAY_HOURS : REPLAY_HOURS,
    durable: call.operation.external === true,
    process: liveness.name,
    claims,
  });
}

/** The thing that the path names, as far as it can be stored: it may be anything. */
export function namedBy(call: Call): string | null {
  const named = Object.values(call.params).at(-1);
  return named === undefined ? null : storable(named);
}

/** The thing that a call was about: the last path parameter, else the id of what it made. */
function resourceOf(call: Call, output: Record<string, unknown>): string | null {
  const named = namedBy(call);
  if (named) return named;
  const made = Object.values(output)[0];
  return typeof made === "object" && made !== null && "id" in made && typeof made.id === "string"
    ? made.id
    : null;
}

function envelope(operation: Operation, answered: Record<string, unknown> | WrittenAnswer): string {
  const written = answered instanceof WrittenAnswer ? answered : null;
  const checked = operation.output.safeParse(written?.output ?? answered);
  if (!checked.success)
    throw new Error(`${operation.operationId} answered against its schema: ${checked.error.message}`);
  if (!written) return JSON.stringify({ ok: true, ...checked.data });
  const { [written.field]: _, ...rest } = checked.data;
  return `${JSON.stringify({ ok: true, ...rest }).slice(0, -1)},"${written.field}":${written.json}}`;
}
