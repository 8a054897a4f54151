import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  isAddressEqual,
} from "viem";
import { fromUnits } from "#server/chains/amounts.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { platform } from "#server/platform.ts";
import { signedTransferAbi } from "#server/providers/chain/abi.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { type Authorization, decodeAuthorization, decodeTypedData } from "../decode/typed-data.ts";
import { tokenOf } from "../describe-effects.ts";
import type { Spend } from "../funds.ts";
import type { WalletRow } from "../queries.ts";
import type { Payload } from "./payload.ts";

/** The last second of the year 9999: beyond it PostgreSQL and JavaScript write dates differently. */
const LAST_SECOND = 253_402_300_799n;

/**
 * Returns the spend that anybody can cause with this signature until it expires: the amount of a transfer by
 * authorization (EIP-3009) of a listed token. Null for all else; an allowance moves nothing by itself.
 */
export async function authorizedBy(
  wallet: Pick<WalletRow, "address">,
  payload: Payload,
): Promise<{ chain: Chain; spend: Spend } | null> {
  const authorization = payload.kind === "typed_data" ? decodeAuthorization(payload.typedData) : null;
  if (payload.kind !== "typed_data" || !authorization) return null;
  const chain = platform().chains.find(decodeTypedData(payload.typedData).network ?? "");
  const token = chain && tokenOf(chain.tokens, authorization.token);
  if (!token || !isAddressEqual(authorization.from, wallet.address)) return null;
  if (!(await isUnused(chain, authorization))) return null;
  const { amount, nonce, validBefore } = authorization;
  const seconds = validBefore < LAST_SECOND ? validBefore : LAST_SECOND;
  return {
    chain,
    spend: {
      asset: token.asset,
      amount: fromUnits(amount, token.decimals),
      fee: "0",
      nonce,
      expiresAt: new Date(Number(seconds) * 1000).toISOString(),
    },
  };
}

const isContractsAnswer = (cause: unknown) =>
  cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError;

/** True if the token still accepts the nonce; a token without authorizations accepts none. */
async function isUnused(chain: Chain, { token, from, nonce }: Authorization): Promise<boolean> {
  try {
    const used = await callChain(chain, (client) =>
      client.readContract({
        address: token,
        abi: signedTransferAbi,
        functionName: "authorizationState",
        args: [from, nonce],
      }),
    );
    return !used;
  } catch (reason) {
    if (!(reason instanceof BaseError)) throw reason;
    // A refusal by the node itself says nothing about the token.
    return reason.walk(isContractsAnswer) === null;
  }
}
