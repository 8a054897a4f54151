import { counted, defineList, oneOf, period, search, wordsOf } from "#components/table/list.ts";
import { ORDER_STATUSES, SIDES } from "#server/trading/statuses.ts";

export const orderList = defineList(
  "orders",
  {
    search,
    status: oneOf("Status", wordsOf(ORDER_STATUSES)),
    side: oneOf("Side", wordsOf(SIDES)),
    walletId: { kind: "wallet", label: "Wallet" },
    ...period,
  },
  ["createdAt"],
).asking(counted);
