export interface ChangelogEntry {
  /** The date, ISO 8601. */
  date: string;
  title: string;
  text: string;
}

/** The entries of the first versions, newest first. */
export const FIRST_ENTRIES: readonly ChangelogEntry[] = [
  {
    date: "2026-11-22",
    title: "Contracts that are not listed tokens",
    text: "Under a policy with limits, a token method that moves nothing (`approve` or `transfer` of zero, an NFT's id 0) is allowed only on listed tokens; on other contracts, `allowedContracts` must list it. A token with absurd decimals, and typed data with `uint` or with structs named like types, get 400. Balances omit a listed token whose contract returns no amount.",
  },
  {
    date: "2026-11-22",
    title: "Archives that lose nothing",
    text: "[Exports](/docs/databases.transfers.create) contain every kind of object that a managed database can hold, with comments, rights and storage options, and every value exactly. An import whose database differs from its archive's description is undone, and the error names the difference. An export that could not be imported fails with the reason, and so does the last one before a database is [deprovisioned](/docs/databases.account.deprovision); the database then stays. A transfer all of whose attempts are stopped fails, too. Archives have the format `managed-database/2`, with an entry `catalogue.ndjson`, and in rows the member `\"\"`: PostgreSQL's own text of values that JSON cannot represent completely. Archives of the first format can still be imported.",
  },
  {
    date: "2026-11-22",
    title: "Timely responses during outages",
    text: "While the platform's database or a cluster of managed databases is silent, every call that needs it gets 503 `service_unavailable` within five seconds. [Health](/docs/health.read) also names the clusters of managed databases, and `/health/live` needs only the process.",
  },
  {
    date: "2026-11-22",
    title: "Numbers as they are written",
    text: "The rows and parameters of [queries](/docs/databases.query) and [actions](/docs/databases.actions) keep every digit of JSON numbers, so that you can send back a database's results. Elsewhere, a number with more digits than a double can hold is refused with 400 and no longer rounded.",
  },
  {
    date: "2026-11-22",
    title: "Reserved funds are protected",
    text: "The reservations of orders, swaps and transactions, including those that await an approval, are binding for the wallet's other actions: a [transaction](/docs/wallets.transactions.create), a [swap](/docs/swaps.execute) or an [order](/docs/trading.orders.create) gets 409 `state_conflict` if the others leave too little for it, and so does calldata that transfers or allows an amount. In [balances](/docs/wallets.balances.read), `amount` is the sum of `available` and `reserved`, which includes maximum network fees.",
  },
  {
    date: "2026-11-22",
    title: "Budgets for storage",
    text: "An account's data on disk has a budget per kind, published under `limits.storage` in [the prices](/docs/pricing.read): files, artifacts, transfers, results kept for cursors, and the database. Beyond a budget, a call gets 403 `quota_exceeded`, which names the used part and how to free it; this includes a full database (before: 422). A run whose artifact would exceed the budget fails with that code.",
  },
  {
    date: "2026-11-22",
    title: "Keys show the boundaries of their chain",
    text: "`allowedServices` and `allowedOperations` of [a key](/docs/apiKeys.list) are the boundaries of its whole chain; null only if no key of the chain has a boundary. [Creating a key](/docs/apiKeys.create) reports all faults and all excesses at once, each with the ancestor, and a first key is bound to the project and the end user that its headers select. A repeat returns the stored response even if its project has been archived since.",
  },
  {
    date: "2026-11-22",
    title: "Neighbours in managed databases",
    text: "No statement of one account delays another's: `CREATE RULE` and advisory locks are refused in [managed databases](/docs/databases.actions) (use triggers, and `select … for update`), and a transaction that holds more than 10,000 locks is ended with `query_limit_exceeded`. If all connections of a cluster are in use, mostly by others, a call waits 5 s and gets `service_unavailable`.",
  },
  {
    date: "2026-11-22",
    title: "Search by name, and usage without the console's reads",
    text: "[Usage](/docs/usage.read) accepts `consoleReads=exclude`, like [audit events](/docs/auditEvents.list): members' reads in the console are then not counted. Lists of [projects](/docs/projects.list), [API keys](/docs/apiKeys.list), [wallets](/docs/wallets.list) and [connections](/docs/connections.list) accept `search`, a part of the name. Labels and names may not contain characters that change the direction of text.",
  },
  {
    date: "2026-11-22",
    title: "Prices that are hard to manipulate",
    text: "Wallets' limits use the price of the pool with the most liquidity over the last half hour. If pools, or spot and average, differ by more than a factor of 1.2, an asset has no price: balances show `valueUsd: null`, caps deny, and a policy that only requires approvals above an amount requires one.",
  },
  {
    date: "2026-11-21",
    title: "Signatures",
    text: "Wallets sign messages (EIP-191) and typed data (EIP-712): [quote](/docs/wallets.signatures.quote) the effects of a signature, then [sign](/docs/wallets.signatures.create) it. Permits, Permit2 and transfers by signature count as spending.",
  },
  {
    date: "2026-11-21",
    title: "Deposits",
    text: "Incoming transfers to a wallet are [listed](/docs/wallets.transactions.list) with direction `in`, sent to webhooks as `wallet.deposit.confirmed`, and followed until they are final; after a reorganisation of the chain, a transfer is `broadcast` again. The platform detects the native asset if a transaction itself sends it (not a contract), and the tokens of [the list](/docs/swaps.tokens.list).",
  },
  {
    date: "2026-11-21",
    title: "Wallet transactions",
    text: "A wallet's transactions are [quoted](/docs/wallets.transactions.quote) with its fee and the policy's decision, [executed](/docs/wallets.transactions.create) exactly once, and followed from signing to finality: [listed](/docs/wallets.transactions.list), [read](/docs/wallets.transactions.read), and sent to webhooks as `wallet.transaction.*`.",
  },
  {
    date: "2026-11-21",
    title: "Trading",
    text: "Spot orders from managed wallets: [quote](/docs/trading.quotes.create) a market or limit order, [place](/docs/trading.orders.create) it, follow its [fills](/docs/trading.orders.read), and see [positions](/docs/trading.positions.list) with profit and loss from real trades. Every change is a `trading.order.*` event.",
  },
  {
    date: "2026-11-21",
    title: "Universal swaps",
    text: "Assets are swapped within a chain or across two. See [the assets](/docs/swaps.tokens.list). Managed wallets [quote](/docs/swaps.quote) and [execute](/docs/swaps.execute) swaps, judged by their policy; for wallets of your own [prepare](/docs/swaps.prepare) unsigned steps. Both are tracked on the chains by their [route](/docs/swaps.routes.read).",
  },
  {
    date: "2026-11-21",
    title: "Top-ups by x402",
    text: "[Buy credits](/docs/credits.x402.topUp) from 5 to 500 USD by an x402 payment, with clients of either version of the protocol. Each purchase has a signed receipt at `/receipts/{receiptId}`; its keys are published at `/.well-known/jwks.json`.",
  },
  {
    date: "2026-11-21",
    title: "Agents write artifacts",
    text: "An agent writes files as [artifacts](/docs/artifacts.list) of its run with the tool `write_artifact`, which it has by default or if `tools` names it. See [the guide](/docs/agents).",
  },
  {
    date: "2026-11-21",
    title: "Wallets",
    text: "Custodial wallets, whose keys never leave the platform: [created](/docs/wallets.create) with a policy, [listed](/docs/wallets.list) and [read](/docs/wallets.read). [The policy](/docs/wallets.policy.update) limits their spending, their recipients, and says who must approve; [balances](/docs/wallets.balances.read) show the available amounts.",
  },
  {
    date: "2026-11-21",
    title: "Runs",
    text: "Operations whose modes include `run` run durably: [create](/docs/runs.create) a run, [read](/docs/runs.read) its timeline, [cancel](/docs/runs.cancel) it. Its steps happen once, even if processes restart meanwhile. `managed-memory` export writes an artifact.",
  },
  {
    date: "2026-11-21",
    title: "Webhooks",
    text: "Events are sent to [webhooks](/docs/webhooks.create): signed, retried for three days, listed as [deliveries](/docs/webhookDeliveries.list) and [replayed](/docs/webhookDeliveries.replay) when you want. The contract lists every event under `webhooks`.",
  },
  {
    date: "2026-11-21",
    title: "Agents",
    text: "`managed-agents` is available if a model is configured, or with a connection to a model of your own: `respond` runs a language model with the actions that the key may use, within limits of steps, tokens and credits. See [the guide](/docs/agents).",
  },
  {
    date: "2026-11-21",
    title: "Connections and services of the operator",
    text: "[Connections](/docs/connections.create) store secrets of external systems, sealed and bound to hosts. An installation may offer services of its own in addition to the platform's; [invoke](/docs/services.invoke) accepts the `connectionId` whose credential they may use, and returns `X-Service-Upstream-Request-Id`.",
  },
  {
    date: "2026-11-21",
    title: "Files",
    text: "Files of any kind up to 5 GB: [uploaded](/docs/files.create) as they are, [listed](/docs/files.list), [read or downloaded](/docs/files.read), [deleted](/docs/files.delete).",
  },
  {
    date: "2026-11-21",
    title: "Artifacts",
    text: "Files that runs produce are [listed](/docs/artifacts.list) and [downloaded](/docs/artifacts.content.read), whole or by range, for 30 days.",
  },
  {
    date: "2026-11-21",
    title: "Workflows",
    text: "`managed-workflows` is available: `validate` names all faults of a workflow, `execute` runs it durably. See [the guide](/docs/workflows).",
  },
  {
    date: "2026-11-21",
    title: "Approvals",
    text: "Critical actions can be approved: [request](/docs/approvals.create) an approval with the exact input, have it [decided](/docs/approvals.decide), and call the operation with the `approvalId`. Permanently deleting a memory of `managed-memory` needs one.",
  },
  {
    date: "2026-11-21",
    title: "Managed databases",
    text: "An account provisions a PostgreSQL database of its own, queries it, changes it in all-or-nothing actions, and exports and imports it as signed archives.",
  },
  {
    date: "2026-11-20",
    title: "Version 1",
    text: "The first version of the API: keys and delegation, projects, usage, audit, services and credits.",
  },
];
