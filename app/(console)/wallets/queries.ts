import { counted, defineList, oneOf, period, search, wordsOf } from "#components/table/list.ts";
import { WALLET_STATUSES } from "#server/wallets/statuses.ts";

export const walletList = defineList(
  "wallets",
  { search, status: oneOf("Status", wordsOf(WALLET_STATUSES)), ...period },
  ["createdAt", "label"],
).asking(counted);

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Returns the query for a page of a wallet's activity, with `to` only what it sent to this address. */
export const activityQuery = (
  walletId: string,
  { cursor, to }: { cursor?: string | undefined; to?: string | undefined },
) => ({ walletId, ...(cursor && { cursor }), ...(to && ADDRESS.test(to) && { to }) });
