import {
  counted,
  defineList,
  endUser,
  given,
  oneOf,
  period,
  search,
  type Values,
  wordsOf,
} from "#components/table/list.ts";
import { ORDER_STATUSES, SIDES } from "#server/trading/statuses.ts";

export const orderList = defineList(
  "orders",
  {
    search,
    status: oneOf("Status", wordsOf(ORDER_STATUSES)),
    side: oneOf("Side", wordsOf(SIDES)),
    symbol: given("Symbol"),
    walletId: { kind: "wallet", label: "Wallet" },
    endUser,
    ...period,
  },
  ["createdAt"],
).asking(counted);

/** Returns the query of the positions beside the orders: of the same end user. */
export function positionQuery(values: Values) {
  const { endUser } = orderList.query(values);
  return endUser === undefined ? {} : { endUser };
}
