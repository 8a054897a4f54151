import { sql } from "drizzle-orm";
import { type Address, formatUnits, parseUnits } from "viem";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { readApproval } from "#server/approvals/queries.ts";
import { ApprovalParams } from "#server/approvals/schema.ts";
import { toUuid, uuidOf } from "#server/base/ids.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import type { Chain, Token } from "#server/providers/chain/chains.ts";
import { readAmounts } from "#server/providers/chain/read-amounts.ts";
import { tokenOf } from "../describe-effects.ts";
import { judge, readPolicyState } from "../judge.ts";
import { feeUsd } from "../network-fees.ts";
import { readWallet, type WalletRow } from "../queries.ts";
import { usdOf, usdText } from "../usd.ts";
import { type BalanceChange, Impact } from "./schema.ts";
import { type Simulation, simulateCall } from "./simulate.ts";
import { readSubject, type Subject } from "./subjects.ts";

/** The reserved amounts of a wallet's assets: for the resource itself, and for others. */
type Reserved = ReadonlyMap<string, { others: string; fee: string }>;
type Move = Subject["moves"][number] & { before?: bigint };

export const readImpact = operation({
  id: "approvals.impact.read",
  method: "GET",
  path: "/approvals/{approvalId}/impact",
  surfaces: ["console"],
  summary: "Read a wallet's pending approval's impact",
  description:
    "For members: the effect that approving a transaction, signature, order or swap would have on its wallet in the current state. Null for other kinds of approvals, and for approvals that no longer wait.",
  scope: "approvals:read",
  params: ApprovalParams,
  output: z.object({ impact: Impact.nullable().describe("The effect in the current state.") }),
  errors: ["not_found"],

  async handler({ params: { approvalId }, caller, db }) {
    const approval = await readApproval(db, { caller, approvalId });
    if (!approval) throw notFound("approval", approvalId);
    const { kind, status } = approval;
    const { id } = approval.subject;
    if (status !== "pending" || id === null || kind === "service_action" || kind === "workflow_step")
      return { impact: null };
    const subject = await readSubject(db, kind, { accountId: caller.accountId, id });
    if (!subject) return { impact: null };
    const { network, effects, signature, call, fields } = subject;
    const wallet = await readWallet(db, caller, subject.walletId);
    const chain = network === null ? undefined : platform().chains.find(network);
    const [state, reserved] = await Promise.all([
      readPolicyState(db, { wallet, network, subject: id }),
      readReservations(db, wallet, toUuid(kind, id)),
    ]);
    const fee = call && network !== null ? (reserved.get(`${network} native`)?.fee ?? "0") : null;
    const judged = judge(state, {
      network,
      effects,
      ...(signature && { signature }),
      ...(fee && { fees: [fee] }),
    });
    const simulation = call && chain ? await simulateCall(chain, { from: wallet.address, ...call }) : null;
    const simulated = simulation !== null && simulation.status !== "unavailable";
    const moves = simulated ? movesOf(chain, simulation) : subject.moves;
    const { dailyLimitUsd } = state.rules;
    const { valueUsd } = judged;
    return {
      impact: {
        walletId: wallet.id,
        frozen: state.frozen,
        network,
        valueUsd,
        cap: dailyLimitUsd === null ? null : capOf(dailyLimitUsd, state.usedUsd, valueUsd),
        refusals: subject.judged && judged.decision === "deny" ? judged.reasons : [],
        balances: await balancesOf(wallet, moves, reserved),
        feeAtMost: fee === null ? null : feeOf(chain, fee, state.nativeUsd),
        simulation: simulation && {
          status: simulation.status,
          reason: simulation.reason,
          blockNumber: simulation.blockNumber,
        },
        allowances: effects.flatMap(({ type, asset, amount, recipient }) => {
          if (type !== "allowance" || recipient === null) return [];
          const token = tokenOf(chain?.tokens ?? [], asset);
          const shown = amount === "unlimited" ? null : formatUnits(amount, token?.decimals ?? 0);
          return [{ symbol: token?.symbol ?? String(asset), amount: shown, spender: recipient }];
        }),
        fields,
      },
    };
  },
});

function capOf(limitUsd: string, usedUsd: string, valueUsd: string | null) {
  const afterUsd = valueUsd === null ? null : usdText(usdOf(usedUsd) + usdOf(valueUsd));
  return { limitUsd, beforeUsd: usdText(usdOf(usedUsd)), afterUsd };
}

function feeOf(chain: Chain | undefined, amount: string, nativeUsd: string | null) {
  const symbol = tokenOf(chain?.tokens ?? [], "native")?.symbol ?? "native";
  return { symbol, amount, valueUsd: feeUsd(amount, nativeUsd) };
}

/** Returns the changes of the wallet's balances in a simulation. */
function movesOf(chain: Chain | undefined, { amounts }: Simulation): Move[] {
  return amounts.flatMap(({ asset, before, after }) => {
    const token = tokenOf(chain?.tokens ?? [], asset);
    if (!chain || !token || before === after) return [];
    const change = formatUnits(after - before, token.decimals);
    return [{ network: chain.network, asset, change, bound: "exactly" as const, before }];
  });
}

async function readReservations(db: Db | Transaction, wallet: WalletRow, owner: string): Promise<Reserved> {
  const rows = await db.execute<{ network: string; asset: string; others: string; fee: string }>(sql`
    select network, asset,
      coalesce(trim_scale(sum(amount + fee) filter (where owner_id <> ${owner}::uuid)), 0)::text as others,
      coalesce(trim_scale(sum(fee) filter (where owner_id = ${owner}::uuid)), 0)::text as fee
    from fund_reservations
    where account_id = ${uuidOf("account", wallet.accountId)} and wallet_id = ${uuidOf("wallet", wallet.id)}
      and released_at is null and is_spendable(expires_at)
    group by network, asset`);
  return new Map(rows.map(({ network, asset, ...amounts }) => [`${network} ${asset}`, amounts]));
}

async function balancesOf(
  wallet: WalletRow,
  moves: readonly Move[],
  reserved: Reserved,
): Promise<BalanceChange[]> {
  const changes = moves.map(async ({ network, asset, change, bound, before: simulated }) => {
    const chain = platform().chains.find(network);
    const token = tokenOf(chain?.tokens ?? [], asset);
    if (!chain || !token) return [];
    const { decimals, symbol } = token;
    const before = simulated ?? (await amountOf(chain, wallet.address, token.asset));
    const after = before === null ? null : before + parseUnits(change, decimals);
    return [
      {
        network,
        asset,
        symbol,
        before: before === null ? null : formatUnits(before, decimals),
        change,
        bound,
        after: after === null ? null : formatUnits(after, decimals),
        promised: reserved.get(`${network} ${asset}`)?.others ?? "0",
      },
    ];
  });
  return (await Promise.all(changes)).flat();
}

/** Returns the wallet's balances; null if the chain's node is unavailable, so that the rest stays readable. */
async function amountOf(chain: Chain, address: Address, asset: Token["asset"]): Promise<bigint | null> {
  try {
    const [amount = null] = await callChain(chain, () => readAmounts(chain, address, [asset]));
    return amount;
  } catch (reason) {
    if (reason instanceof ApiError && reason.code === "service_unavailable") return null;
    throw reason;
  }
}
