import { counted, defineList, given, oneOf, period, search, wordsOf } from "#components/table/list.ts";

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
