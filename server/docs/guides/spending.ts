import { heading, list, type Page, paragraph, table } from "../page.ts";

/** Returns the guide to a wallet's spending limits and reserved balances. */
export function spendingPage(): Page {
  return {
    path: "/docs/spending",
    title: "Limits and reservations of wallets",
    lead: "A policy limits what a wallet gives away, by whatever way; reservations say what of its balance is promised already.",
    blocks: [
      heading("What counts against a limit"),
      paragraph(
        "`maxPerTransactionUsd` and `dailyLimitUsd` of a [policy](/docs/wallets.policy.update) count everything that lets somebody take of the wallet, in full, on the UTC day on which it is made. However many calls are made at once, and whatever they mix, their sum passes no limit.",
      ),
      table(
        ["What", "Counts as", "Reserves"],
        [
          [
            "a send, a swap, calldata that transfers",
            "its amount",
            "its amount, until the chain has it or it has ended",
          ],
          ["an order", "the most that it may cost", "what it may still cost, until it ends"],
          [
            "a signed transfer (EIP-3009: `TransferWithAuthorization`, `ReceiveWithAuthorization`)",
            "its amount",
            "its amount, until the chain has used or cancelled its nonce, or a minute after `validBefore`",
          ],
          [
            "an allowance: `approve`, `permit` (EIP-2612), Permit2, its signed transfers included",
            "its amount; any amount exceeds every limit",
            "nothing once the chain has it or it is signed",
          ],
        ],
      ),
      list([
        "What awaits an approval counts and reserves as if it were approved; a reject or its expiry gives both back.",
        "Each allowance counts anew, also one that replaces another: the platform does not know what its spender has taken in between.",
        "An allowance without a bound, or beyond a limit, is denied where a limit is set. Where only `approval.aboveUsd` is set, people decide.",
        "A limit is for what is made while it stands: an allowance that was given before can be used until it is set to zero on the chain.",
      ]),
      heading("What is not reserved"),
      paragraph(
        "An allowance is not a movement: how much of it will be taken, and when, is its spender's to decide. It lowers no `available` in the [balances](/docs/wallets.balances.read), and the spender may take what a send or an order counts on, which then fails. Allow exactly what is needed, and set what is left to zero.",
      ),
      paragraph(
        "A signed transfer can be carried out by anybody who holds it until its `validBefore`, whatever becomes of the key or of the policy afterwards. It is only taken back by a `CancelAuthorization` of the same nonce that the wallet signs and somebody sends to the token. Sign with a `validBefore` a few minutes ahead. It is reserved for tokens that the platform lists, on its own chains.",
      ),
      heading("Orders outlive the key that placed them"),
      paragraph(
        "An order stands for the wallet: it goes on when the key that placed it is revoked or expires, until it is filled, cancelled or expired, at most 90 days. Each trade of it is judged by the wallet's policy as it is then, and ends the order where the policy denies it.",
      ),
      list([
        "Revoking a key that may have been stolen does not stop its orders: [list](/docs/trading.orders.list) what stands, and [cancel](/docs/trading.orders.cancel) each one, which frees what it has reserved.",
        "What awaits an approval is different: it fails when the key that asked is revoked before people have decided.",
        "To stop all that a wallet spends at once, set `dailyLimitUsd` to `0` in its policy: sends, allowances and signed transfers are denied then, and an order ends where it would trade.",
      ]),
    ],
  };
}
