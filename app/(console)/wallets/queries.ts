import { defineList, oneOf, search, wordsOf } from "#components/table/list.ts";

export const walletList = defineList(
  "wallets",
  { search, status: oneOf("Status", wordsOf(["active", "frozen"])) },
  ["createdAt", "label"],
);
