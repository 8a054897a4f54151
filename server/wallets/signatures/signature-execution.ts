import { and, eq, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { rowInserter } from "#db/insert-row.ts";
import { signatures } from "#db/schema/signatures.ts";
import { wallets } from "#db/schema/wallets.ts";
import { defined } from "#server/base/defined.ts";
import { timeOf, toUuid } from "#server/base/ids.ts";
import { releaseCap } from "../caps.ts";
import { type ExecutionKind, endedAs, LONGEST_WAIT_SECONDS, type QuotedWallet } from "../executions/kind.ts";
import { freeFunds } from "../funds.ts";
import { selectWallets } from "../queries.ts";
import { authorizedBy } from "./authorized.ts";
import { displayOf, judgePayload, networkOf, type Payload, signPayload } from "./payload.ts";
import { emitSignatureEvent, eventOf, signatureWith } from "./rows.ts";
import type { Signature } from "./schema.ts";

type Row = typeof signatures.$inferSelect;

const insert = rowInserter(signatures);

/** The part of a signature's quote that its execution needs. */
interface SignaturePlan {
  payload: Payload;
  payloadHash: string;
}

export const signatureExecution: ExecutionKind<Row, SignaturePlan, { signature: Signature }> = {
  kind: "signature",
  serviceId: "managed-wallets",
  scope: "wallets:sign",
  operationId: "wallets.signatures.create",
  approvedOperation: "signatures.create",
  charge: "Signature",
  holdSeconds: LONGEST_WAIT_SECONDS,
  table: signatures,

  open({ wallet, plan: { payload, payloadHash } }) {
    const { accountId, projectId, endUserId, endUser, id: walletId } = wallet;
    return {
      judge: (state) => judgePayload(state, payload),
      approvalPayload: approvalPayload({ walletId, payloadHash, payload }),
      async prepare(db, { decision, summary }) {
        const signature = decision === "allow" ? await sign(db, wallet, payload) : null;
        const authorized = await authorizedBy(wallet, payload);
        return {
          funds: authorized && { chain: authorized.chain, spends: [authorized.spend] },
          record({ id, quoteId, approvalId, initiator }) {
            const { callerType, callerId } = initiator;
            const createdAt = timeOf(toUuid("signature", id));
            const row = {
              accountId,
              id,
              projectId,
              endUserId,
              endUser,
              walletId,
              quoteId,
              approvalId,
              callerType,
              callerId,
              kind: payload.kind,
              payload: signature ? null : payload,
              payloadHash,
              display: displayOf(payload, summary),
              status: signature ? ("signed" as const) : ("awaiting_approval" as const),
              signature,
              failure: null,
              createdAt,
              endedAt: signature ? createdAt : null,
            };
            const event = eventOf(row);
            return { output: event.data, row: { signature: insert(row) }, events: [event] };
          },
        };
      },
    };
  },

  async renew(_, row, wallet) {
    const { walletId, payloadHash } = row;
    const payload = row.payload as Payload;
    const signature = await signPayload(wallet, payload);
    return {
      network: networkOf(payload),
      judge: (state) => judgePayload(state, payload),
      approvalPayload: approvalPayload({ walletId, payloadHash, payload }),
      carryOut: (tx, locked) => store(tx, locked, { status: "signed", signature }),
    };
  },

  async end(tx, row, end) {
    const { accountId, id } = row;
    await releaseCap(tx, { accountId, subject: id });
    await freeFunds(tx, { accountId, owner: { type: "signature", id } });
    await store(tx, row, endedAs(end, "rejected"));
  },
};

async function sign(db: Db, { accountId, id }: QuotedWallet, payload: Payload): Promise<string> {
  const mine = and(eq(wallets.accountId, accountId), eq(wallets.id, id));
  const [wallet] = await selectWallets(db).where(mine);
  return signPayload(defined(wallet), payload);
}

async function store(
  tx: Transaction,
  { accountId, id }: Row,
  change: Pick<Row, "status"> & Partial<Pick<Row, "signature" | "failure">>,
): Promise<void> {
  const key = { accountId, id };
  await tx
    .update(signatures)
    .set({ ...change, payload: null, endedAt: sql`clock_timestamp()` })
    .where(signatureWith(key));
  await emitSignatureEvent(tx, key);
}

/** Returns the payload that people approve: exactly this, by this wallet. */
function approvalPayload(of: { walletId: string; payloadHash: string; payload: Payload }) {
  const { walletId, payloadHash, payload } = of;
  return { walletId, payloadHash, ...payload };
}
