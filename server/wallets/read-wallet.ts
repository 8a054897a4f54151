import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { readWallet as findWallet, toWallet } from "./queries.ts";
import { Wallet, WalletParams } from "./schema.ts";

export const readWallet = operation({
  id: "wallets.read",
  method: "GET",
  path: "/wallets/{walletId}",
  summary: "Read a wallet",
  scope: "wallets:read",
  service: "managed-wallets",
  params: WalletParams,
  output: z.object({ wallet: Wallet }),
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    return { wallet: toWallet(await findWallet(db, caller, params.walletId)) };
  },
});
