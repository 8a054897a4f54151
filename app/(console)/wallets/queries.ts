import { counted, defineList, endUser, oneOf, period, search, wordsOf } from "#components/table/list.ts";
import { WALLET_STATUSES } from "#server/wallets/statuses.ts";

export const walletList = defineList(
  "wallets",
  { search, status: oneOf("Status", wordsOf(WALLET_STATUSES)), endUser, ...period },
  ["createdAt", "label"],
).asking(counted);
