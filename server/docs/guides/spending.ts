import { heading, list, type Page, paragraph, table } from "../page.ts";

/** Returns the guide to a wallet's spending limits and reserved balances. */
export function spendingPage(): Page {
  return {
    path: "/docs/spending",
    title: "Limits and reservations of wallets",
    lead: "A policy limits everything that a wallet spends, in any way; reservations show how much of its balance is already committed.",
    blocks: [
      heading("What counts against a limit"),
      paragraph(
        "`maxPerTransactionUsd` and `dailyLimitUsd` of a [policy](/docs/wallets.policy.update) count, in full, every action that lets somebody take funds from the wallet, on the UTC day of the action. Even parallel calls of different kinds never exceed a limit together.",
      ),
      table(
        ["Action", "Counts as", "Reserves"],
        [
          [
            "a send, a swap, calldata that transfers",
            "its amount",
            "its amount, until it is on the chain or has ended",
          ],
          [
            "an order",
            "its maximum cost, on the day on which it is placed or approved; each trade of a later day on that day",
            "its maximum remaining cost, until it ends",
          ],
          [
            "a signed transfer (EIP-3009: `TransferWithAuthorization`, `ReceiveWithAuthorization`)",
            "its amount",
            "its amount, until the chain has used or cancelled its nonce, or a minute after `validBefore`",
          ],
          [
            "an allowance: `approve`, `permit` (EIP-2612), Permit2, its signed transfers included",
            "its amount; any amount exceeds every limit",
            "nothing once it is on the chain or signed",
          ],
        ],
      ),
      list([
        "An action that awaits an approval counts and reserves as if it were approved; its rejection or expiry releases both.",
        "Each allowance counts separately, even one that replaces another: the platform does not know how much its spender has taken in between.",
        "An unlimited allowance, or one beyond a limit, is denied if a limit is set. If only `approval.aboveUsd` is set, people decide.",
        "A limit applies to actions that are made while it is set: an earlier allowance can be used until it is set to zero on the chain.",
      ]),
      heading("What is not reserved"),
      paragraph(
        "An allowance moves no funds: its spender decides how much to take, and when. It does not lower `available` in the [balances](/docs/wallets.balances.read), and the spender may take funds that a send or an order relies on, which then fails. Allow exactly the needed amount, and set the rest to zero.",
      ),
      paragraph(
        "Anybody who holds a signed transfer can execute it until its `validBefore`, even if the key is revoked or the policy changes afterwards. The only way to cancel it is a `CancelAuthorization` of the same nonce, signed by the wallet and sent to the token. Sign with a `validBefore` a few minutes ahead. Signed transfers are reserved only for tokens that the platform lists, on its own chains.",
      ),
      heading("Orders outlive the key that placed them"),
      paragraph(
        "An order belongs to the wallet: it continues when the key that placed it is revoked or expires, until it is filled, cancelled or expired, for at most 90 days. Each of its trades is judged by the wallet's current policy, and the order ends if the policy denies a trade.",
      ),
      list([
        "Revoking a key that may have been stolen does not stop its orders: [list](/docs/trading.orders.list) the open ones, and [cancel](/docs/trading.orders.cancel) each one, which releases its reservation.",
        "An action that awaits an approval is different: it fails if the requesting key is revoked before people have decided.",
        "To stop all spending of a wallet at once, set `dailyLimitUsd` to `0` in its policy: sends, allowances and signed transfers are then denied, and an order ends when it would trade.",
      ]),
    ],
  };
}
