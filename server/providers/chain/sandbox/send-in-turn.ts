import {
  type Account,
  type BaseError,
  type Chain,
  type Client,
  type Hex,
  type LocalAccount,
  NonceTooLowError,
  parseGwei,
  type Transport,
} from "viem";
import { getTransactionCount, sendTransaction } from "viem/actions";

const ATTEMPTS = 10;
// The same for all that send from the account: a node takes a transaction in the place of another only where it pays more.
const FEES = { maxFeePerGas: parseGwei("500"), maxPriorityFeePerGas: parseGwei("1") };

/** What is sent: calldata, the chain's own asset in wei, or both. */
export interface Sending {
  to: Hex;
  data?: Hex;
  value?: bigint;
}

/**
 * Sends from one account, in turn, and returns the hash. Other processes may send from it too: a nonce that was theirs
 * is refused by the node, and the next one tried.
 */
export function senderInTurn(
  client: Client<Transport, Chain | undefined, Account | undefined>,
  account: LocalAccount,
): (sending: Sending) => Promise<Hex> {
  let last: Promise<unknown> = Promise.resolve();

  async function attempt(sending: Sending): Promise<Hex> {
    for (let left = ATTEMPTS; ; left -= 1) {
      try {
        const nonce = await getTransactionCount(client, { address: account.address, blockTag: "pending" });
        return await sendTransaction(client, {
          ...sending,
          ...FEES,
          account,
          chain: client.chain ?? null,
          nonce,
        });
      } catch (error) {
        if (left === 0 || !isNonceTaken(error as BaseError)) throw error;
      }
    }
  }

  return (sending) => {
    const sent = last.then(() => attempt(sending));
    last = sent.catch(() => undefined);
    return sent;
  };
}

function isNonceTaken(error: BaseError): boolean {
  if (error.walk?.((cause) => cause instanceof NonceTooLowError)) return true;
  return /replacement transaction underpriced|already known|already imported/i.test(error.message);
}
