import type { Personal } from "./chain.ts";
import type { AuditEvent } from "./schema.ts";
import type { Head, Signature, Statement } from "./signatures.ts";

/** A personal field in an export: its digest, and the salt (hex) that proves the value; null once erased. */
export interface PersonalProof {
  digest: string;
  salt: string | null;
}

export interface ExportHeader {
  type: "export";
  format: 1;
  accountId: string;
  /** The requested period; the export extends to the next signed head on both sides. */
  from: string | null;
  to: string | null;
  /** The sequence after which the export begins: 0, or that of a signed head, which is the next line. */
  start: number;
}

export interface ExportEnd extends Signature {
  type: "end";
  accountId: string;
  start: number;
  /** The sequence of the last event, and its hash. */
  end: number;
  hash: string;
  exportedAt: string;
}

export interface HeadLine extends Head, Signature {
  type: "head";
}

export interface EventLine {
  type: "event";
  event: AuditEvent;
  personal: Personal<PersonalProof>;
}

/** A line of an export, in JSON. */
export type ExportLine = ExportHeader | HeadLine | EventLine | ExportEnd;

export function personalOf(event: AuditEvent): Personal<string> {
  return {
    actorLabel: event.actor.label,
    ip: event.ip,
    userAgent: event.userAgent,
    endUser: event.endUser,
  };
}

/** Returns the statement of the export's last line, by which a truncated export is detected. */
export function endStatement({
  accountId,
  start,
  end,
  hash,
  exportedAt,
}: Omit<ExportEnd, keyof Signature | "type">): Statement {
  return { purpose: "audit-export/v1", accountId, start, end, hash, exportedAt };
}
