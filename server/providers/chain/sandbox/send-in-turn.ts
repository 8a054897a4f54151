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
// Shared by all senders of the account: a node replaces a transaction only if the new one pays more.
const FEES = { maxFeePerGas: parseGwei("500"), maxPriorityFeePerGas: parseGwei("1") };

/** A transaction to be sent: calldata, the native asset in wei, or both. */
export interface Sending {
  to: Hex;
  data?: Hex;
  value?: bigint;
}

/**
 * Returns a function that sends from one account in sequence and returns the hash. Other processes may send from it
 * too: the node refuses a used nonce, and the next one is tried.
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
