import { defineList, oneOf, period, wordsOf } from "#components/table/list.ts";

const statuses = wordsOf([
  "awaiting_approval",
  "pending",
  "source_submitted",
  "source_confirmed",
  "filling",
  "completed",
  "refunding",
  "refunded",
  "failed",
]);

export const swapList = defineList(
  "swaps",
  {
    search: { kind: "search", label: "Hash or id" },
    status: oneOf("Status", statuses),
    walletId: { kind: "wallet", label: "Wallet" },
    ...period,
  },
  ["createdAt"],
);
