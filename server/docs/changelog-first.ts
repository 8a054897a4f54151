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
    title: "Contracts that are no listed tokens",
    text: "Under a policy with limits, a token's method that moves nothing (`approve` or `transfer` of zero, an NFT's id 0) is harmless only on listed tokens; of any other contract it needs its place in `allowedContracts`. A token with absurd decimals and typed data with `uint`, or with structs named like types, answer 400. Balances leave out a listed token whose contract tells no amount.",
  },
  {
    date: "2026-11-22",
    title: "Archives that lose nothing",
    text: '[Exports](/docs/databases.transfers.create) carry every kind of thing that a managed database can hold, with comments, rights and storage options, and every value exactly. An import whose database differs from what its archive describes is undone and says where; an export that could not be imported fails and says why, and so does the last one before a database is [deprovisioned](/docs/databases.account.deprovision), which then stays. A transfer whose every attempt is stopped fails too, and says so. Archives have the format `managed-database/2`, with an entry `catalogue.ndjson`, and in rows the member `""`: PostgreSQL\'s own text of values whose JSON does not say all. Archives of the first format can still be imported.',
  },
  {
    date: "2026-11-22",
    title: "A platform that answers in time",
    text: "While the platform's database or a cluster of managed databases is silent, every call that needs it is answered within five seconds, with 503 `service_unavailable`. [Health](/docs/health.read) names the clusters of managed databases too, and `/health/live` answers from the process alone.",
  },
  {
    date: "2026-11-22",
    title: "Numbers as they are written",
    text: "The rows and parameters of [queries](/docs/databases.query) and [actions](/docs/databases.actions) keep every digit of JSON numbers, so that what a database answers can be sent back. Elsewhere a number with more digits than a double keeps is refused with 400 and no longer rounded.",
  },
  {
    date: "2026-11-22",
    title: "Nothing takes what is reserved",
    text: "What an order, a swap or a transaction has reserved, with all that awaits an approval, binds everything else of the wallet: a [transaction](/docs/wallets.transactions.create), a [swap](/docs/swaps.execute) or an [order](/docs/trading.orders.create) that others leave too little for is 409 `state_conflict`, calldata that transfers or allows an amount too. In [balances](/docs/wallets.balances.read) `amount` is `available` and `reserved` together, with what networks may take at most.",
  },
  {
    date: "2026-11-22",
    title: "Budgets for storage",
    text: "What an account keeps on disk has a budget per kind, published under `limits.storage` in [the prices](/docs/pricing.read): files, artifacts, transfers, results kept for cursors, and the database. Beyond it a call answers 403 `quota_exceeded`, a database that is full included (before: 422), and says what is used and how to free it; a run that would leave an artifact over it fails with that code.",
  },
  {
    date: "2026-11-22",
    title: "Keys show what holds over their chain",
    text: "`allowedServices` and `allowedOperations` of [a key](/docs/apiKeys.list) are what its whole chain lets through; null only where no key of it has a boundary. [Creating a key](/docs/apiKeys.create) tells every fault and every excess at once, each with the ancestor, and a first key is bound to the project and the end user that its headers select. A repeat is answered as stored although its project was archived since.",
  },
  {
    date: "2026-11-22",
    title: "Neighbours in managed databases",
    text: "No statement of one account delays another's: `CREATE RULE` and advisory locks are refused in [managed databases](/docs/databases.actions) (use triggers, and `select … for update`), and a transaction that holds more than 10,000 locks is ended with `query_limit_exceeded`. Where all connections of a cluster are in use, mostly by others, a call waits 5 s and answers `service_unavailable`.",
  },
  {
    date: "2026-11-22",
    title: "Found by name, and usage without the console's reads",
    text: "[Usage](/docs/usage.read) takes `consoleReads=exclude`, as [audit events](/docs/auditEvents.list) do: what members only looked at is then not counted. Lists of [projects](/docs/projects.list), [API keys](/docs/apiKeys.list), [wallets](/docs/wallets.list) and [connections](/docs/connections.list) take `search`, a part of the name. Labels and names refuse characters that turn the direction of text.",
  },
  {
    date: "2026-11-22",
    title: "Prices that nobody can set up",
    text: "Wallets' limits value by the pool that weighed most over the last half hour. Where pools, or spot and average, differ by more than a factor of 1.2, an asset has no price: balances show `valueUsd: null`, caps deny, and a policy that only asks for approvals above an amount asks for one.",
  },
  {
    date: "2026-11-21",
    title: "Signatures",
    text: "Wallets sign messages (EIP-191) and typed data (EIP-712): [quote](/docs/wallets.signatures.quote) what a signature would give away, then [sign](/docs/wallets.signatures.create) it. Permits, Permit2 and transfers by signature count as spending.",
  },
  {
    date: "2026-11-21",
    title: "Deposits",
    text: "What others send to a wallet is [listed](/docs/wallets.transactions.list) with direction `in`, sent to webhooks as `wallet.deposit.confirmed`, and followed until it is final; after a reorganisation of the chain it is `broadcast` again. Seen are the native asset sent by a transaction itself, not by a contract, and the tokens of [the list](/docs/swaps.tokens.list).",
  },
  {
    date: "2026-11-21",
    title: "Wallet transactions",
    text: "What a wallet sends is [quoted](/docs/wallets.transactions.quote) with its fee and the policy's decision, [executed](/docs/wallets.transactions.create) exactly once, and followed from signing to finality: [listed](/docs/wallets.transactions.list), [read](/docs/wallets.transactions.read), and sent to webhooks as `wallet.transaction.*`.",
  },
  {
    date: "2026-11-21",
    title: "Trading",
    text: "Spot orders from managed wallets: [quote](/docs/trading.quotes.create) a market or limit order, [place](/docs/trading.orders.create) it, follow its [fills](/docs/trading.orders.read), and see [positions](/docs/trading.positions.list) with profit and loss from real trades. Every change is a `trading.order.*` event.",
  },
  {
    date: "2026-11-21",
    title: "Universal swaps",
    text: "Assets are exchanged within a chain and across two. See [the assets](/docs/swaps.tokens.list). Managed wallets [quote](/docs/swaps.quote) and [execute](/docs/swaps.execute) swaps, judged by their policy; for wallets of your own [prepare](/docs/swaps.prepare) unsigned steps. Either is followed on the chains by its [route](/docs/swaps.routes.read).",
  },
  {
    date: "2026-11-21",
    title: "Top-ups by x402",
    text: "[Buy credits](/docs/credits.x402.topUp) from 5 to 500 USD by an x402 payment, with clients of either version of the protocol. Each purchase has a signed receipt at `/receipts/{receiptId}`; its keys are published at `/.well-known/jwks.json`.",
  },
  {
    date: "2026-11-21",
    title: "Agents write artifacts",
    text: "An agent leaves files as [artifacts](/docs/artifacts.list) of its run by the tool `write_artifact`, which is given by default and named in `tools`. See [the guide](/docs/agents).",
  },
  {
    date: "2026-11-21",
    title: "Wallets",
    text: "Custodial wallets, whose keys never leave the platform: [created](/docs/wallets.create) with a policy, [listed](/docs/wallets.list) and [read](/docs/wallets.read). [The policy](/docs/wallets.policy.update) caps what they spend, says where to, and who has to approve; [balances](/docs/wallets.balances.read) tell what is available.",
  },
  {
    date: "2026-11-21",
    title: "Runs",
    text: "Operations whose modes include `run` run durably: [create](/docs/runs.create) a run, [read](/docs/runs.read) its timeline, [cancel](/docs/runs.cancel) it. Its steps happen once, whatever restarts meanwhile. `managed-memory` export writes an artifact.",
  },
  {
    date: "2026-11-21",
    title: "Webhooks",
    text: "Events are sent to [webhooks](/docs/webhooks.create): signed, tried again for three days, listed as [deliveries](/docs/webhookDeliveries.list) and [replayed](/docs/webhookDeliveries.replay) when you want. The contract lists every event under `webhooks`.",
  },
  {
    date: "2026-11-21",
    title: "Agents",
    text: "`managed-agents` is available where a model is configured, or with a connection to a model of your own: `respond` runs a language model with the actions that the key may use, within bounds of steps, tokens and credits. See [the guide](/docs/agents).",
  },
  {
    date: "2026-11-21",
    title: "Connections and services of the operator",
    text: "[Connections](/docs/connections.create) keep secrets of outside systems, sealed and bound to hosts. An installation may offer services of its own beside the platform's; [invoke](/docs/services.invoke) takes the `connectionId` whose credential they may use, and answers `X-Service-Upstream-Request-Id`.",
  },
  {
    date: "2026-11-21",
    title: "Files",
    text: "Files of any kind up to 5 GB: [uploaded](/docs/files.create) as they are, [listed](/docs/files.list), [read or downloaded](/docs/files.read), [deleted](/docs/files.delete).",
  },
  {
    date: "2026-11-21",
    title: "Artifacts",
    text: "What runs produce is [listed](/docs/artifacts.list) and [downloaded](/docs/artifacts.content.read), whole or by range, for 30 days.",
  },
  {
    date: "2026-11-21",
    title: "Workflows",
    text: "`managed-workflows` is available: `validate` names everything that is wrong with a workflow, `execute` runs it durably. See [the guide](/docs/workflows).",
  },
  {
    date: "2026-11-21",
    title: "Approvals",
    text: "Grave actions can be approved: [ask](/docs/approvals.create) with the exact input, have it [decided](/docs/approvals.decide), and call the operation with the `approvalId`. Deleting a memory of `managed-memory` for good needs one.",
  },
  {
    date: "2026-11-21",
    title: "Managed databases",
    text: "An account provisions a PostgreSQL database of its own, queries it, changes it in all-or-nothing actions, and carries it out and in as signed archives.",
  },
  {
    date: "2026-11-20",
    title: "Version 1",
    text: "The first version of the API: keys and delegation, projects, usage, audit, services and credits.",
  },
];
