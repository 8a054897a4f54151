import { x402Facilitator } from "@x402/core/facilitator";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { encodeFunctionData, type LocalAccount } from "viem";
import type { Chain } from "../chain/chains.ts";
import { senderInTurn } from "../chain/sandbox/send-in-turn.ts";
import { type Facilitator, payloadOf } from "./facilitator.ts";

const RECEIPT_TIMEOUT_MS = 8000;
const POLLING_MS = 100;

/** The sandbox's facilitator, in this process: it sends from an account of the embedded chain. */
export function localFacilitator(chain: Chain, account: LocalAccount): Facilitator {
  const { client } = chain;
  const send = senderInTurn(client, account);
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
    // Otherwise a transfer that another call has just settled costs a transaction that reverts.
    { simulateInSettle: true },
  );
  const facilitator = new x402Facilitator().register(chain.network, scheme);
  return {
    setting: "CHAINS",
    verify: (transfer, requirement) => facilitator.verify(payloadOf(transfer, requirement), requirement),
    settle: (transfer, requirement) => facilitator.settle(payloadOf(transfer, requirement), requirement),
  };
}
