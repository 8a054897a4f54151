import { counted, defineList, endUser, oneOf, period, wordsOf } from "#components/table/list.ts";
import { SWAP_STATUSES } from "#server/swaps/statuses.ts";

export const swapList = defineList(
  "swaps",
  {
    search: { kind: "search", label: "Hash or id" },
    status: oneOf("Status", wordsOf(SWAP_STATUSES)),
    walletId: { kind: "wallet", label: "Wallet" },
    endUser,
    ...period,
  },
  ["createdAt"],
).asking(counted);
