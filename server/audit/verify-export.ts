import canonicalize from "canonicalize";
import { defined } from "#server/base/defined.ts";
import { digestOf, genesisOf, hashOfForm, PERSONAL_FIELDS, type Personal } from "./chain.ts";
import {
  type EventLine,
  type ExportEnd,
  type ExportHeader,
  type ExportLine,
  endStatement,
  personalOf,
} from "./export-format.ts";
import { type Head, headStatement, isStatementSigned, type Signature, type Statement } from "./signatures.ts";

/** The result of verifying a whole export. */
export interface Verified {
  accountId: string;
  events: number;
  /** The sequences of the first and the last event. */
  first: number;
  last: number;
  signedHeads: number;
  /** The number of erased personal fields. */
  erased: number;
  /** The public keys that signed it, in base64. */
  publicKeys: string[];
}

/** The first fault of an export, with the line where it was found. */
class ExportFault extends Error {
  constructor(line: number, message: string) {
    super(`Line ${line}: ${message}`);
    this.name = "ExportFault";
  }
}

/**
 * Verifies an export offline: every event's hash, the sequence without gaps, the links, the digests of personal fields,
 * the signed heads, and that nothing is missing at either end. Throws an `ExportFault` at the first fault. With
 * `trusted` public keys, no other key may have signed.
 */
export async function verifyExport(
  lines: AsyncIterable<string> | Iterable<string>,
  trusted: readonly string[] = [],
): Promise<Verified> {
  const keys = new Set<string>();
  let number = 0;
  let header: ExportHeader | undefined;
  let end: ExportEnd | undefined;
  let sequence = 0;
  let hash = "";
  let erased = 0;
  let signedHeads = 0;

  const fault = (message: string) => new ExportFault(number, message);

  function checkSignature(what: string, statement: Statement, signature: Signature) {
    if (!isStatementSigned(statement, signature))
      throw fault(`${what} bears a signature that is not its key's.`);
    if (trusted.length > 0 && !trusted.includes(signature.publicKey))
      throw fault(`${what} is signed by ${signature.publicKey}, which is not a key to be trusted.`);
    keys.add(signature.publicKey);
  }

  function readHead(head: Head & Signature, { accountId, start }: ExportHeader) {
    const what = `The head at sequence ${head.sequence}`;
    if (head.accountId !== accountId) throw fault(`${what} is of account ${head.accountId}.`);
    checkSignature(what, headStatement(head), head);
    signedHeads += 1;
    if (sequence === start && head.sequence === start && hash === "") hash = head.hash;
    else if (head.sequence !== sequence) throw fault(`${what} stands after sequence ${sequence}.`);
    else if (head.hash !== hash)
      throw fault(`${what} was signed with the hash ${head.hash}; the events up to it now make ${hash}.`);
  }

  function readEvent({ event, personal }: EventLine) {
    const what = `Event ${event.id}`;
    if (hash === "") throw fault("The signed head that the export begins at is missing.");
    if (event.sequence !== sequence + 1)
      throw fault(`${what} has sequence ${event.sequence} where ${sequence + 1} is due.`);
    if (event.previousHash !== hash)
      throw fault(`${what} does not follow the one before it, whose hash is ${hash}.`);
    const digests: Personal<string> = { actorLabel: null, ip: null, userAgent: null, endUser: null };
    const values = personalOf(event);
    for (const field of PERSONAL_FIELDS) {
      const proof = personal[field];
      const value = values[field];
      digests[field] = proof?.digest ?? null;
      if (value === null) {
        if (proof?.salt) throw fault(`${what}: ${field} was taken out.`);
        if (proof) erased += 1;
      } else if (!proof?.salt || digestOf(Buffer.from(proof.salt, "hex"), value) !== proof.digest) {
        throw fault(`${what}: ${field} was changed; "${value}" does not have its digest.`);
      }
    }
    const { hash: claimed, actor, ...rest } = event;
    const { actorLabel, ip, userAgent, endUser } = digests;
    const hashed = { ...rest, actor: { ...actor, label: actorLabel }, ip, userAgent, endUser };
    const made = hashOfForm(defined(canonicalize(hashed)));
    if (made !== claimed)
      throw fault(`${what} (sequence ${event.sequence}) was changed: its hash is ${made}, not ${claimed}.`);
    sequence = event.sequence;
    hash = made;
  }

  function readEnd(line: ExportEnd, { accountId, start }: ExportHeader) {
    if (line.accountId !== accountId || line.start !== start)
      throw fault("The closing statement is of another export.");
    checkSignature("The closing statement", endStatement(line), line);
    if (line.end !== sequence || line.hash !== hash)
      throw fault(`The export ends at sequence ${sequence}; it was closed at ${line.end}.`);
    end = line;
  }

  function read(line: ExportLine) {
    if (end) throw fault("Something stands after the closing statement.");
    if (line.type === "export") {
      if (header) throw fault("A second export begins.");
      header = line;
      sequence = line.start;
      hash = line.start === 0 ? genesisOf(line.accountId) : "";
    } else if (!header) throw fault('The first line is not that of an export ("type": "export").');
    else if (line.type === "head") readHead(line, header);
    else if (line.type === "event") readEvent(line);
    else if (line.type === "end") readEnd(line, header);
    else throw fault("Not a line of an export.");
  }

  for await (const text of lines) {
    number += 1;
    try {
      read(JSON.parse(text));
    } catch (error) {
      if (error instanceof ExportFault) throw error;
      throw fault("Not a line of an export: it is no JSON, or lacks a field of such a line.");
    }
  }
  number += 1;
  if (!header || !end) throw fault("The closing statement is missing: the export was cut off.");
  const { accountId, start } = header;
  return {
    accountId,
    events: sequence - start,
    first: start + 1,
    last: sequence,
    signedHeads,
    erased,
    publicKeys: [...keys],
  };
}
