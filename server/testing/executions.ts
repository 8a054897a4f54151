import { PLAIN } from "./transactions.ts";

/** The kinds of executions, by the names of their resources. */
export type ExecutionKind = "transaction" | "signature" | "swap" | "order";

/** How an execution is quoted and executed over HTTP. */
interface ExecutionCalls {
  path(walletId: string): string;
  quotePath(walletId: string): string;
  /** The quote's input. */
  body(walletId: string): object;
}

/** Returns the calls of every kind; each but the signature moves about 60 USD. */
export function executionCalls(usd: string): Record<ExecutionKind, ExecutionCalls> {
  return {
    transaction: {
      path: (walletId) => `/v1/wallets/${walletId}/transactions`,
      quotePath: (walletId) => `/v1/wallets/${walletId}/transactions/quote`,
      body: () => ({ ...PLAIN, asset: usd, amount: "60" }),
    },
    signature: {
      path: (walletId) => `/v1/wallets/${walletId}/signatures`,
      quotePath: (walletId) => `/v1/wallets/${walletId}/signatures/quote`,
      body: () => ({ kind: "message", message: "Release the funds." }),
    },
    swap: {
      path: () => "/v1/swaps",
      quotePath: () => "/v1/swaps/quote",
      body: (walletId) => ({
        walletId,
        from: { network: PLAIN.network, asset: usd, amount: "60" },
        to: { network: PLAIN.network, asset: "native" },
      }),
    },
    order: {
      path: () => "/v1/trading/orders",
      quotePath: () => "/v1/trading/quotes",
      body: (walletId) => ({ walletId, symbol: "ETH-USD", side: "buy", type: "market", quantity: "0.02" }),
    },
  };
}
