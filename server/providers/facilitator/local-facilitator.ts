import { x402Facilitator } from "@x402/core/facilitator";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { type BaseError, encodeFunctionData, type Hex, type LocalAccount, NonceTooLowError } from "viem";
import { sendTransaction } from "viem/actions";
import type { Chain } from "../chain/chains.ts";
import { type Facilitator, payloadOf, type Requirement } from "./facilitator.ts";

const RECEIPT_TIMEOUT_MS = 8000;
const POLLING_MS = 100;
const ATTEMPTS = 10;

/** The sandbox's facilitator, in this process: it sends from an account of the embedded chain. */
export function localFacilitator(chain: Chain, account: LocalAccount): Facilitator {
  const { client } = chain;
  const send = sender(chain, account);
  const scheme = new ExactEvmScheme(
    {
      getAddresses: () => [account.address],
      readContract: (call) => client.readContract(call),
      // biome-ignore lint/suspicious/noExplicitAny: viem types typed data by its own schema, which is known only here.
      verifyTypedData: (data) => client.verifyTypedData(data as any),
      getCode: (of) => client.getCode(of),
      waitForTransactionReceipt: ({ hash }) =>
        client.waitForTransactionReceipt({ hash, timeout: RECEIPT_TIMEOUT_MS, pollingInterval: POLLING_MS }),
      sendTransaction: send,
      writeContract: ({ address, dataSuffix = "0x", ...call }) =>
        send({ to: address, data: `${encodeFunctionData(call)}${dataSuffix.slice(2)}` }),
    },
    // Else what another call has just settled costs a transaction that reverts.
    { simulateInSettle: true },
  );
  const facilitator = new x402Facilitator().register(chain.network as Requirement["network"], scheme);
  return {
    setting: "CHAINS",
    verify: (transfer, requirement) => facilitator.verify(payloadOf(transfer, requirement), requirement),
    settle: (transfer, requirement) => facilitator.settle(payloadOf(transfer, requirement), requirement),
  };
}

/**
 * Sends from one account, in turn. Other processes may send from it too: a nonce that was theirs is refused by the node,
 * and the next one tried.
 */
function sender({ client }: Chain, account: LocalAccount) {
  let last: Promise<unknown> = Promise.resolve();

  async function attempt(call: { to: Hex; data: Hex }): Promise<Hex> {
    for (let left = ATTEMPTS; ; left -= 1) {
      try {
        const nonce = await client.getTransactionCount({ address: account.address, blockTag: "pending" });
        return await sendTransaction(client, { ...call, account, chain: client.chain, nonce });
      } catch (error) {
        if (left === 0 || !isNonceTaken(error as BaseError)) throw error;
      }
    }
  }

  return (call: { to: Hex; data: Hex }): Promise<Hex> => {
    const sent = last.then(() => attempt(call));
    last = sent.catch(() => undefined);
    return sent;
  };
}

function isNonceTaken(error: BaseError): boolean {
  if (error.walk?.((cause) => cause instanceof NonceTooLowError)) return true;
  return /replacement transaction underpriced|already known|already imported/i.test(error.message);
}
