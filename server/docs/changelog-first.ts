export interface ChangelogEntry {
  /** The date, ISO 8601. */
  date: string;
  title: string;
  text: string;
}

/** The entries of the first versions, newest first. */
export const FIRST_ENTRIES: readonly ChangelogEntry[] = [
  {
    date: "2026-11-24",
    title: "Events start runs",
    text: "[Triggers](/docs/schedules) accept `event` and `where` in `on`: an event sent by `managed-events`, whose response contains the number of runs `started`, or one of the platform's. Expressions in the input can read it. Events wait for seven days while the trigger is paused; `replay` retries those that have started no run. Runs that start each other by events stop after eight, with `loop_detected` in the trigger's log. Runs that members create can await the platform's events that their role may read.",
  },
  {
    date: "2026-11-23",
    title: "Your own code as a step",
    text: "A step of type `http` accepts `callback`: its texts can contain `callback.url`, an address for one use, and it [waits](/docs/waiting) without a worker for the result that is posted there, which becomes its output. Heartbeats report progress. A late callback gets 410 [callback_over](/docs/errors/callback_over).",
  },
  {
    date: "2026-11-23",
    title: "Runs wait for events of the platform",
    text: "A step of type `await` accepts the names of [webhooks' events](/docs/events), such as `wallet.deposit.confirmed`: events since the run's start that the key could read [count](/docs/waiting), without any webhook.",
  },
  {
    date: "2026-11-23",
    title: "Runs wait for your own events",
    text: "A new service, `managed-events`, has `send`, and workflows a step of type `await`: it [waits](/docs/waiting) for the first of several events, including events that were sent before it began, and occupies no worker meanwhile. Earlier keys with a service boundary cannot use the service. [Reading a run](/docs/runs.read) returns `waitsFor`. Runs, and steps of type `wait`, can last up to 30 days.",
  },
  {
    date: "2026-11-23",
    title: "Runs that start automatically",
    text: "A new service, `managed-triggers`, has `put`, `get`, `list`, `pause`, `resume`, `fire`, `backfill` and `delete`: [schedules](/docs/schedules) by a crontab line in a time zone, by an interval, or once, with rules for overlapping runs and missed times. Earlier keys with a service boundary cannot use the service. [Creating a run](/docs/runs.create) accepts `startAt`, at most a year ahead. [Runs](/docs/runs.read) have `triggerId`, `scheduledAt` and `startsAt`, and can be listed by `triggerId`. Webhooks can get `trigger.paused` and `trigger.failed`.",
  },
  {
    date: "2026-11-23",
    title: "Webhooks: filters, thin bodies, headers and health",
    text: "[Webhooks](/docs/webhooks) accept `filter`, up to 20 conditions on the event's body that are evaluated before a delivery is sent; `payload: \"thin\"`, which sends the id, the resource and its status instead of `data`; and `headers` for each attempt, which are sealed and of which only the names are shown. They return `filter`, `payload` and `headerNames`. [Webhooks](/docs/webhooks.list) also have `health.lastDeliveries`: how many of the last 100 deliveries arrived. `/inspect` of each installation accepts every delivery and stores nothing; the webhook's deliveries show the sent bytes.",
  },
  {
    date: "2026-11-23",
    title: "Usage by the minute, and the balance of each day",
    text: "[Usage](/docs/usage.read) can also be grouped by `minute`, `hour` or `project`, narrowed by `operation` and `keyId`, and has `p99Ms`; `totals` has the percentiles of the whole period. An unknown project or end user has no usage; before, it was shown the usage without a project or end user. [The balance](/docs/credits.balance.read) accepts `historyDays` and then returns the balance at the end of each day.",
  },
  {
    date: "2026-11-23",
    title: "A wallet's transactions to an address",
    text: "[Transactions](/docs/wallets.transactions.list) can be listed by `to`, an address. Each chain of [health](/docs/health.read) has its `name`.",
  },
  {
    date: "2026-11-23",
    title: "Stored workflows with versions",
    text: "`managed-workflows` has `put`, `get`, `list`, `archive` and `restore`, and the run capability `start`: a [workflow](/docs/workflows) is stored under a name in versions that never change, with a JSON Schema for its input. A key with the selector `runs.create.managed-workflows.start` can run stored workflows, but no inline ones. A run's `workflow` names its version; [runs](/docs/runs.list) can be listed by `workflowId` and `workflowVersion`. [Retrying](/docs/runs.retry) accepts `workflowVersion`, to continue with a corrected version. A step of type `run` starts a stored workflow as a separate run and waits for it. Only keys created from now on can use these.",
  },
  {
    date: "2026-11-23",
    title: "An agent's text while it writes",
    text: "[Following a run](/docs/runs.follow) shows a model's text as `output` events, twice a second, each with its step and the offset at which it begins; their ids contain a dot. The rest of the stream has not changed: clients that know only `timeline` and `run` can ignore them. The [SDK](/docs/streams) has `onOutput`.",
  },
  {
    date: "2026-11-23",
    title: "Receipts show reversed payments",
    text: "A receipt at `/receipts/{receiptId}` has `reversed`: true if a reorganisation of the chain has reversed the payment, and its credits with it. The signature does not change; read the address to find out whether the receipt is still valid.",
  },
  {
    date: "2026-11-23",
    title: "Runs have names",
    text: "A [run](/docs/runs.read) has a `name`, the workflow's or the first line of the agent's task, which identifies it in lists; `retryOf`, the run that it repeats; and `parentId`, the run whose step created it. [List](/docs/runs.list) runs by a part of the name (`search`), by `operationId`, `parentId`, `retryOf`, and by a period (`from`, `to`). A timeline's `sent` entry has the `requestId` of the call; lists omit timelines with `timeline=exclude`. [Many runs](/docs/runs.bulk) can be retried from the failed step of each with `retryFrom`.",
  },
  {
    date: "2026-11-23",
    title: "A command line",
    text: "`npm install --global` installs [msp](/docs/command-line) from `/clients/cli.tgz` of each installation. It signs in by the browser, calls every operation, waits for runs and shows their progress, uploads and downloads files, reads the database, sends events to a server on your computer, and finds problems (`msp doctor`). In the [SDK](/docs/typescript), `longestWaitMs` limits how long a call waits before it is repeated.",
  },
  {
    date: "2026-11-23",
    title: "Reading the calling key",
    text: "[Read the calling key](/docs/apiKeys.current) returns the key, or the app's access, that makes the call, and its account. Every valid key may call it, regardless of scopes and boundaries, including earlier keys; the call counts against limits.",
  },
  {
    date: "2026-11-23",
    title: "Programs without a browser sign in by a code",
    text: "The platform's command line gets a code from `/oauth/device` (RFC 8628); its user enters the code at `/device`, compares the requesting program, and chooses the access on the same page as for [apps](/docs/connect-an-app). The authorization server's metadata has `device_authorization_endpoint`.",
  },
  {
    date: "2026-11-23",
    title: "Runs and events are followed as they happen",
    text: "[Follow a run](/docs/runs.follow) by server-sent events: each entry of its timeline arrives within moments, and with `Last-Event-ID` nothing is lost or repeated when a connection breaks. [Follow the account's events](/docs/events.follow) in the same way if no webhook can reach you; this needs a key created from now on. [Streams](/docs/streams) describes both. [Reading a run](/docs/runs.read) accepts `waitSeconds`; as a tool, it then reports progress. It returns `watchUrl`, with which a browser without a key can watch status, progress and messages. `runs.follow` and `runs.wait` of the SDK use them; its `runs.read` takes query fields before options.",
  },
  {
    date: "2026-11-23",
    title: "The API can do everything that the console can",
    text: "New operations, for keys created from now on: [read one API key](/docs/apiKeys.read), [approval](/docs/approvals.read), [webhook](/docs/webhooks.read) or [delivery](/docs/webhookDeliveries.read) with the bytes that were sent; [restore a project](/docs/projects.restore); [cancel an order](/docs/trading.orders.cancel); [markets](/docs/trading.markets.list) and their [prices](/docs/trading.prices.list); the [ledger](/docs/credits.ledger.list) of credits; [test](/docs/webhooks.test) a webhook, [count](/docs/webhooks.missed.read) and [recover](/docs/webhooks.recover) its missed events; [test a policy](/docs/wallets.policy.simulate) on a wallet's past sends. [Retry](/docs/runs.retry) a run from any step, with another input or a corrected workflow; [retry or cancel](/docs/runs.bulk) up to 50 at once.",
  },
  {
    date: "2026-11-23",
    title: "Apps sign in by OAuth",
    text: "MCP clients and other apps get access by [OAuth 2.1](/docs/connect-an-app): a person enters only the URL of `/mcp`, and chooses on a page the app's access, its spending limit and its expiry. The access is an [API key](/docs/apiKeys.list) with the new field `app`; the app calls with short-lived tokens of the key. `WWW-Authenticate` says where to sign in with a 401 of `/v1` and `/mcp`, and how to request a missing scope with a 403. An app's `client_id` may be the URL of a document that its host publishes. The console lists connected apps and revokes them; an owner decides who may connect apps; `app.connected` and `app.ended` are new [events](/docs/webhooks). Keys work as before.",
  },
  {
    date: "2026-11-23",
    title: "An SDK for TypeScript",
    text: "`npm install` installs a typed [package](/docs/typescript) from `/clients/sdk.tgz` of each installation: it keeps idempotency keys through retries, iterates pages, verifies files and webhooks, and pays by x402. The TypeScript examples of this reference use it.",
  },
  {
    date: "2026-11-23",
    title: "Names for generators",
    text: "In [openapi.json](/openapi.json), each body, response, id and nested object is a named schema (`CreateProject`, `ProjectList`, `ProjectId`, `ApprovalSubject`), so that generators create types with these names. The document has one webhook, whose body is a `WebhookEvent`: an `EventEnvelope` with the `type` and `data` of one event. Examples of bodies and parameters are in `examples`. Nothing changes on the wire.",
  },
  {
    date: "2026-11-23",
    title: "Health names its release",
    text: "[Health](/docs/health.read) returns the `version`, the `commit` and the database's `schema` of the responding process.",
  },
  {
    date: "2026-11-23",
    title: "Approvals belong to their wallet's project",
    text: "The [approval](/docs/approvals.list) of a transaction, signature, swap or order has the project and the end user of its wallet, regardless of the requesting key. Before, an approved action in a project's wallet got stuck if a key of the whole account had requested it. An approved transaction is checked against the limits of network fees again, like swaps and orders.",
  },
  {
    date: "2026-11-22",
    title: "Timely responses for files",
    text: "While the platform's store of bytes hangs, calls for [files](/docs/files.create), artifacts and archives get 503 `service_unavailable` within five seconds, as they do while it is down; everything else continues.",
  },
  {
    date: "2026-11-22",
    title: "Signed transfers are reserved",
    text: "A transfer by signature (EIP-3009) of a listed token is reserved from its [signature](/docs/wallets.signatures.create) on, until the chain has used or cancelled its nonce or it has expired; if other reservations leave too little for it, the call gets 409 `state_conflict`. [Limits and reservations](/docs/spending) explains the limits of policies, reservations, and how to stop the orders of a revoked key.",
  },
  {
    date: "2026-11-22",
    title: "Digits within runs",
    text: "Workflows and agents pass on every digit that databases, services and other systems return; to compute with a number with more digits than a double can hold, an expression rounds it by `$number($string(x))`. Numbers in queries are also taken as they are written: `limit=25.00000000000000000001` is refused. A step or a tool whose response has more than 8,388,608 characters, or 256 levels of JSON, fails with `query_limit_exceeded`.",
  },
  {
    date: "2026-11-22",
    title: "Limits of network fees",
    text: "A wallet's policy has `maxNetworkFeeUsd`, for one transaction, and `dailyNetworkFeeUsd`, for a UTC day; null is the installation's limit (25 and 100 USD unless its operator says otherwise). From creation on, the maximum fee counts, including replacements; once the transaction is in a block, the paid fee counts. A transaction that exceeds a limit is denied with `policy_denied`. If the network's fee rises above the limit before a send is signed, the send fails in the same way, unsigned and free of charge; an open order waits.",
  },
  {
    date: "2026-11-22",
    title: "Calls survive the death of a worker",
    text: "Calls are answered while the worker restarts; runs, deliveries and transactions continue afterwards. [Health](/docs/health.read) is `degraded` meanwhile, and its `checks` name the `worker`.",
  },
  {
    date: "2026-11-22",
    title: "Bounds of JSON bodies",
    text: "A JSON body has at most 200,000 values, 10,000 fields in one object and 64 levels; [pricing](/docs/pricing.read) publishes them beside its bytes. Beyond a bound, the call gets 400 `invalid_request` with the place. A refusal has at most 100 `issues`; for a body of over 5,000 values, it reports only the first fault. A `multicall` whose calls overlap in its calldata counts as unknown.",
  },
  {
    date: "2026-11-22",
    title: "Timelines of runs",
    text: "A failed attempt at a step that is repeated is an entry `retry` with the step's own path, not a finished step; a call is shown as `sent` before its response. A run has at most 10,000 entries. Agents are charged for the tokens that they used however their run ends. A response that is too large fails an `http` step with `query_limit_exceeded`.",
  },
  {
    date: "2026-11-22",
    title: "Connections and services",
    text: "A connection becomes `broken` when three addresses in a row respond 401, or one does ten times, and no longer after a single 401. A `connectionId` that is not bound to the service's host is refused with 400 at `body.connectionId`. A connection's `secret` may begin with `whsec_`.",
  },
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
