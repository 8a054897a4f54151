import { createHash } from "node:crypto";
import type { StoredRefusal } from "#db/schema/audit.ts";
import { decrypt, encrypt } from "#server/base/aes-gcm.ts";
import { NIL_UUID, toUuid } from "#server/base/ids.ts";
import { digestOf, PERSONAL_FIELDS, SALT_BYTES } from "../chain.ts";
import type { EventLine, PersonalProof } from "../export-format.ts";

/** Ciphertexts (base64) under the keys of `audit_person_keys`; null if the event has no such person, or they were erased. */
interface Sealed {
  /** The label's salt, then the label. */
  actor: string | null;
  /** The salt of the external id, which is in `end_users`. */
  endUser: string | null;
}

/**
 * An event in an archive: a line of an export with digests only in place of personal fields, and beside it the columns that
 * no export has and the sealed names. Archives are never rewritten: erasing a person deletes the key to their name.
 */
export interface ArchivedLine extends EventLine {
  kept: {
    /** A UUID; the event's actor has its type. */
    actorId: string | null;
    endUserId: string | null;
    selector: string;
    refusal: StoredRefusal | null;
    /** Lines of earlier archives have none. */
    replayOf?: string | null;
    sealed: Sealed;
  };
}

/** Keys by person, the UUID of an actor or of an end user. */
export type PersonKeys = ReadonlyMap<string, Uint8Array>;

/** A chained event, before it is archived. */
export interface ChainedEvent extends Omit<ArchivedLine["kept"], "sealed"> {
  line: EventLine;
}

/** Returns the persons whose keys open an event: its actor and its end user. */
export function personsOf({ actorId, endUserId }: Pick<ChainedEvent, "actorId" | "endUserId">) {
  // An action of the platform itself has a label and no actor.
  return {
    actor: actorId ?? NIL_UUID,
    endUser: endUserId === null ? NIL_UUID : toUuid("endUser", endUserId),
  };
}

function sealed(key: Uint8Array | undefined, eventId: string, proof: PersonalProof | null, value = "") {
  if (!key || !proof?.salt) return null;
  const plain = Buffer.concat([Buffer.from(proof.salt, "hex"), Buffer.from(value)]);
  return Buffer.from(encrypt(key, eventId, plain)).toString("base64");
}

export function archivedLine(chained: ChainedEvent, keys: PersonKeys): ArchivedLine {
  const { line, ...columns } = chained;
  const { event, personal } = line;
  const persons = personsOf(chained);
  const digests = { ...personal };
  for (const field of PERSONAL_FIELDS) {
    const proof = personal[field];
    digests[field] = proof && { digest: proof.digest, salt: null };
  }
  return {
    type: "event",
    event: { ...event, actor: { ...event.actor, label: null }, ip: null, userAgent: null, endUser: null },
    personal: digests,
    kept: {
      ...columns,
      sealed: {
        actor: sealed(keys.get(persons.actor), event.id, personal.actorLabel, event.actor.label ?? ""),
        endUser: sealed(keys.get(persons.endUser), event.id, personal.endUser),
      },
    },
  };
}

function opened(key: Uint8Array | undefined, eventId: string, sealed: string | null) {
  if (!key || sealed === null) return null;
  const decrypted = decrypt(key, eventId, Buffer.from(sealed, "base64"));
  // A person who was erased and then acted again has a new key.
  if (!decrypted) return null;
  const plain = Buffer.from(decrypted);
  return { salt: plain.subarray(0, SALT_BYTES), value: plain.subarray(SALT_BYTES).toString() };
}

/** Returns the line of the export, with the names of persons who have not been erased. */
export function openedLine(
  { event, personal, kept }: ArchivedLine,
  keys: PersonKeys,
  externalIds: ReadonlyMap<string, string | null>,
): EventLine {
  const persons = personsOf(kept);
  const actor = opened(keys.get(persons.actor), event.id, kept.sealed.actor);
  const endUser = opened(keys.get(persons.endUser), event.id, kept.sealed.endUser);
  const externalId = externalIds.get(kept.endUserId ?? "") ?? null;
  const prove = (salt: Uint8Array, value: string): PersonalProof => ({
    digest: digestOf(salt, value),
    salt: Buffer.from(salt).toString("hex"),
  });
  return {
    type: "event",
    event: {
      ...event,
      actor: { ...event.actor, label: actor?.value ?? null },
      endUser: endUser ? externalId : null,
    },
    personal: {
      ...personal,
      ...(actor && { actorLabel: prove(actor.salt, actor.value) }),
      ...(endUser && externalId !== null && { endUser: prove(endUser.salt, externalId) }),
    },
  };
}

/** The maximum number of values of one kind in a row; beyond, a filter by that kind reads every archive. */
const MAX_VALUES = 100;

/** Returns the values that an archive's row holds, so that filtered lists skip archives without a match. */
export function facetsOf(lines: readonly ArchivedLine[]): string[] {
  const kinds: Record<string, Set<string>> = {};
  const add = (kind: string, value: string | null) => {
    if (value === null) return;
    kinds[kind] ??= new Set();
    kinds[kind].add(value);
  };
  for (const { event, kept } of lines) {
    add("operation", event.operation);
    add("outcome", event.outcome);
    add("actor", event.actor.id);
    add("project", event.projectId);
    add("endUser", kept.endUserId);
  }
  return Object.entries(kinds).flatMap(([kind, values]) =>
    values.size > MAX_VALUES ? [`${kind}:*`] : [...values].map((value) => `${kind}:${value}`),
  );
}

const REQUEST_BYTES = 4;

/** Returns the bytes that represent a request id in an archive's row. */
export function requestMark(requestId: string): Buffer {
  return createHash("sha256").update(requestId).digest().subarray(0, REQUEST_BYTES);
}

export function requestMarks(lines: readonly ArchivedLine[]): Buffer {
  return Buffer.concat([...new Set(lines.map(({ event }) => event.requestId))].map(requestMark));
}
