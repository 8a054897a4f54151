import {
  counted,
  defineList,
  given,
  linked,
  oneOf,
  period,
  search,
  wordsOf,
} from "#components/table/list.ts";
import { WALLET_STATUSES } from "#server/wallets/statuses.ts";

export const walletList = defineList(
  "wallets",
  { search, status: oneOf("Status", wordsOf(WALLET_STATUSES)), endUser: linked("End user"), ...period },
  ["createdAt", "label"],
).asking(counted);

/** The transactions, swaps and orders of a wallet. */
export const activityList = defineList(
  "activity",
  {
    search,
    type: oneOf("Kind", wordsOf(["transaction", "swap", "order"])),
    direction: oneOf("Direction", [
      { value: "in", label: "Received" },
      { value: "out", label: "Sent" },
    ]),
    network: given("Network"),
    ...period,
  },
  ["createdAt"],
).asking(counted);
