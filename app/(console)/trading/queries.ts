import { defineList, oneOf, period, search, wordsOf } from "#components/table/list.ts";

const statuses = wordsOf([
  "pending",
  "awaiting_approval",
  "open",
  "partially_filled",
  "filled",
  "cancelled",
  "expired",
  "rejected",
]);

export const orderList = defineList(
  "orders",
  {
    search,
    status: oneOf("Status", statuses),
    side: oneOf("Side", wordsOf(["buy", "sell"])),
    walletId: { kind: "wallet", label: "Wallet" },
    ...period,
  },
  ["createdAt"],
);
