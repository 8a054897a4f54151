import { type Hex, hashMessage, hashTypedData } from "viem";
import type { z } from "zod";
import { invalid } from "#server/operation/errors.ts";
import { quoted, unbent } from "#server/operation/shown-text.ts";
import { decodeTypedData } from "../decode/typed-data.ts";
import { type Judgement, judge, type PolicyState } from "../judge.ts";
import type { WalletRow } from "../queries.ts";
import { signerOf } from "../signer.ts";
import { readTypedData } from "./read-typed-data.ts";
import type { QuoteSignature, Signature, TypedData } from "./schema.ts";

/** The content to sign: a message, or typed data as sent. */
export type Payload = { kind: "message"; message: string } | { kind: "typed_data"; typedData: TypedData };

/** Returns the requested payload. Refuses one that does not match its declared kind. */
export function payloadOf({ kind, message, typedData }: z.output<typeof QuoteSignature>): Payload {
  if (kind === "message") {
    if (typedData) throw invalid("body.typedData", "Belongs to the kind typed_data. Leave it out.");
    if (message === undefined) throw invalid("body.message", "The kind message signs it. Send it.");
    return { kind, message };
  }
  if (message !== undefined) throw invalid("body.message", "Belongs to the kind message. Leave it out.");
  if (!typedData) throw invalid("body.typedData", "The kind typed_data signs it. Send it.");
  return { kind, typedData };
}

/** The hash that is signed. */
export function hashOf(payload: Payload): Hex {
  return payload.kind === "message"
    ? hashMessage(payload.message)
    : hashTypedData(readTypedData(payload.typedData).definition);
}

/** Signs with the wallet's key. */
export function signPayload(wallet: WalletRow, payload: Payload): Promise<Hex> {
  const signer = signerOf(wallet);
  return payload.kind === "message"
    ? signer.signMessage({ message: payload.message })
    : signer.signTypedData(readTypedData(payload.typedData).definition);
}

/** The chain that a payload is bound to, as CAIP-2; null for a payload of no chain. */
export function networkOf(payload: Payload): string | null {
  return payload.kind === "message" ? null : decodeTypedData(payload.typedData).network;
}

/** Judges the signature by the wallet's policy, with a description of its effects. */
export function judgePayload(state: PolicyState, payload: Payload): Judgement {
  if (payload.kind === "message") {
    const judged = judge(state, { network: null, effects: [], signature: { kind: "message" } });
    return { ...judged, summary: `Sign the message ${quoted(payload.message)}.` };
  }
  const { effects, network, signature } = decodeTypedData(payload.typedData);
  const judged = judge(state, { network, effects, signature });
  const { name } = payload.typedData.domain;
  const whose = name === undefined ? "" : ` of ${quoted(name)}`;
  return { ...judged, summary: `Sign ${payload.typedData.primaryType}${whose}: ${judged.summary}` };
}

/** All that is signed, for people. */
export function displayOf(payload: Payload, summary: string): Signature["display"] {
  const fields =
    payload.kind === "message"
      ? [{ name: "message", value: payload.message }]
      : readTypedData(payload.typedData).fields;
  return { summary, fields: fields.map(({ name, value }) => ({ name, value: unbent(value) })) };
}
