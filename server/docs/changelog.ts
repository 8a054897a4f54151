import type { Operation } from "#server/operation/operation.ts";
import { type ChangelogEntry, FIRST_ENTRIES } from "./changelog-first.ts";

/** Changes that concern customers, newest first. Deprecations are declared by operations, not here. */
const ENTRIES: readonly ChangelogEntry[] = [
  {
    date: "2026-11-28",
    title: "Texts that are shown as others",
    text: "Descriptions of [projects](/docs/projects.create), [webhooks](/docs/webhooks.create) and stored [workflows](/docs/workflows), reasons of [approvals](/docs/approvals.create), and the summary of an approval step and the name of an artifact step refuse characters that turn the direction of text (U+202A to U+202E, U+2066 to U+2069), as labels and names do. Where an expression of a workflow yields them, the summary and the name contain them as `\\u{202e}`.",
  },
  {
    date: "2026-11-28",
    title: "The vault in health",
    text: "Where a key management service wraps the keys of wallets, the `checks` of [health](/docs/health.read) name it as `vault`, and the platform is `degraded` while it is away: wallets can then neither be created nor sign.",
  },
  {
    date: "2026-11-28",
    title: "Audit events of one status",
    text: "[Audit events](/docs/auditEvents.list) can be listed by the HTTP status of their response: `status=429`. A page of them looks at up to 10,000 events, so it can have fewer than `limit`, or none, and still a `nextCursor`.",
  },
  {
    date: "2026-11-28",
    title: "Search for transactions and purchases",
    text: "[A wallet's transactions](/docs/wallets.transactions.list) can be searched by a part of an address, a hash or your `clientReference`, and be restricted by `direction`, `network`, `createdAfter` and `createdBefore`; they accept `sort` and `total=include`. `search` of [the ledger](/docs/credits.ledger.list) also finds purchases by their payer or transaction hash, and changes by the id of their request.",
  },
  {
    date: "2026-11-27",
    title: "Webhooks in use, and lists of a period",
    text: "[Webhooks](/docs/webhooks.list) can be listed without those that were disabled by `DELETE`: `disabledManually=exclude`. `from` and `to` are new for [projects](/docs/projects.list), [keys](/docs/apiKeys.list), [wallets](/docs/wallets.list), [connections](/docs/connections.list) and webhooks.",
  },
  {
    date: "2026-11-26",
    title: "Usage by status, and of one outcome",
    text: "[Usage](/docs/usage.read) can be grouped by HTTP status (`groupBy=status`), and `outcome` counts only requests that were `allowed`, `denied` or ended with an `error`, as in [the audit](/docs/auditEvents.list). Hours that were counted before this have no statuses: their group has the key null, and `outcome` includes those of them whose requests all had the same outcome. [Services](/docs/services.list), too, accept `total=include`.",
  },
  {
    date: "2026-11-26",
    title: "Names for the values of fields in openapi.json",
    text: "In [openapi.json](/openapi.json), the values of fields that several operations share are named schemas (`RunStatus`, `OrderSide`, `ApiKeyStatus`), and so are the fields of pages (`PageLimit`, `PageCursor`, `NextCursor`), of periods and of [policies](/docs/wallets.policy.update) (`ApprovalRules`). Parameters no longer repeat the description of their schema. `ApprovalActor` replaces `ApprovalRequestedBy` and `ApprovalDecisionBy`. Amounts of policies, such as `dailyLimitUsd`, are now texts in generated clients and in the [SDK](/docs/typescript); they were `unknown`. Nothing changes on the wire.",
  },
  {
    date: "2026-11-26",
    title: "Totals of lists, and the depth of markets",
    text: "Lists of resources, such as [runs](/docs/runs.list), [keys](/docs/apiKeys.list) and [wallets](/docs/wallets.list), accept `total=include`: the response then has `total`, the number of items that match the filters, counted up to 1,000, and whether there are `more`. In the [SDK](/docs/typescript) it is `page.total`. New: [the depth of a market](/docs/trading.depth.read), which shows the cost or proceeds of orders of 100 to 1,000,000 USD. Only keys created from now on can use it.",
  },
  {
    date: "2026-11-26",
    title: "Search for capabilities",
    text: "[Capabilities](/docs/capabilities.list), and [those of one service](/docs/capabilities.read), accept `search`: a part of an operation's service, id or title.",
  },
  {
    date: "2026-11-26",
    title: "Errors in openapi.json by range",
    text: "In [openapi.json](/openapi.json), each operation declares its errors by `4XX` and `5XX`, whose descriptions list its codes by status, and as before by `x-error-codes`. All have the schema `Failure` instead of one schema for each status (such as `NotFoundError`); codes have the type `ErrorCode`, and its `x-statuses` contains the status of each. Generated clients get shorter by up to a third: if your code names a schema of a single status, use `Failure`. Nothing changes on the wire.",
  },
  {
    date: "2026-11-26",
    title: "Budgets of runs, events, memories and workflows, and forgetting runs",
    text: "The stored data of runs (input, result, results of steps, timeline), of events and inbound deliveries, memories and stored workflows now have budgets: `runsBytes`, `eventsBytes`, `memoriesBytes` and `workflowsBytes` under `limits.storage` in [the prices](/docs/pricing.read); the console's usage page shows the used part. Beyond a budget, new runs, events, memories and versions are refused with 403 [quota_exceeded](/docs/errors/quota_exceeded), deliveries to [inbound webhooks](/docs/inbound-webhooks) with 429 and `Retry-After`; triggers try again, and a running run fails after its current step. [Forgetting](/docs/runs.forget) an ended run deletes its stored data and frees its bytes; the action `forget` does this for [many](/docs/runs.bulk) at once. Only keys created from now on can use it. [Runs](/docs/runs.read) have `keptBytes` and `forgottenAt`.",
  },
  {
    date: "2026-11-26",
    title: "Search, filters and sorting of lists",
    text: "Lists accept `sort`: `createdAt` for the oldest first and, for resources with a name or label, such as [projects](/docs/projects.list), [keys](/docs/apiKeys.list), [wallets](/docs/wallets.list), [connections](/docs/connections.list), [files](/docs/files.list) and [artifacts](/docs/artifacts.list), that field; `-` reverses the order. A cursor is bound to its order. `search` finds a part of a resource's name, of a wallet's address and of a project's slug, and the beginning of an id; new for files, artifacts, approvals, webhooks, deliveries, orders, swaps, [credits](/docs/credits.ledger.list) and [services](/docs/services.list). `from` and `to` are new for files, artifacts, approvals, deliveries, orders, swaps and credits, `status` for wallets, connections, webhooks and services, `side` for orders, `serviceId` for artifacts. Searches of one account run one after the other; if eight are waiting, further ones get 429.",
  },
  {
    date: "2026-11-26",
    title: "Wallets of a project",
    text: "[Wallets](/docs/wallets.list) can be listed by `projectId`, like runs, files and keys. In the console, you choose a project beside the account, and every page then shows that project only, as with `X-Service-Project`; archived projects can be viewed.",
  },
  {
    date: "2026-11-26",
    title: "Databases: views, functions, foreign keys and expected rows",
    text: "[Reading the database](/docs/databases.account.read) also lists its `views` and `functions`, and the `foreignKeys` of each table; of a structure that is too large for one response, it lists a part, and `complete` is false. In [actions](/docs/databases.actions), `sql`, `rows.update` and `rows.delete` accept `expectedRows`: if a different number of rows would be changed, none is, and the call gets 409. Together with the system column `xmin` in `where`, this changes a row only if nobody has changed it since it was read. Results of `sql` name the statement's `command`, for instance `DELETE`.",
  },
  {
    date: "2026-11-26",
    title: "Mails about approvals",
    text: "If the platform has a mail server, members who may decide get a mail when [approvals](/docs/approvals.list) wait for them, at most once in 15 minutes. The mail contains kinds, times and addresses of pages, and no text of the requesters; people decide in the console or by the API as before. Each person can turn their mails off on the console's approvals page. The 409 of a [decision](/docs/approvals.decide) that comes too late says who decided, and when.",
  },
  {
    date: "2026-11-26",
    title: "Moves of accounts",
    text: "While the platform's operator moves an account to another installation, its calls get 503 `service_unavailable` with `operationState: not_started` and `Retry-After: 1`: nothing was started, and the same call may be sent again. Running work ends before the move or continues afterwards.",
  },
  {
    date: "2026-11-26",
    title: "Repeated batches",
    text: "A [batch](/docs/runs.batch) or [bulk change](/docs/runs.bulk) of runs reports an item as refused only if it had no effect. If an item's outcome is unknown, for instance because a limit refuses a repeat, the call fails with `operationState: unknown`: repeating it with the same idempotency key finds the outcome.",
  },
  {
    date: "2026-11-26",
    title: "Command line: bytes, progress and `--json FILE`",
    text: "The [command line](/docs/command-line) reads a body by `--json FILE` (`--body` still works); `--output json` replaces `--json` without a file. `files up` and `files down` show their progress on a terminal. `webhooks listen` posts each event byte for byte as a webhook does. In the [SDK](/docs/typescript), `events.follow` accepts `onBody` for these bytes, and `toFile` of a download accepts `onProgress`. Neither drops events whose texts contain the line separators U+2028 or U+2029 any more.",
  },
  {
    date: "2026-11-26",
    title: "Browsers show models' text",
    text: "`watchUrl` of a [run](/docs/runs.read) also sends `output` events with the text of models while they write it, like [following a run](/docs/runs.follow). Give the address only to people who may read that text. Input, data and result are never sent, and the privacy tier `strict` has no such address. [Streams](/docs/streams) shows how a page assembles the text.",
  },
  {
    date: "2026-11-26",
    title: "Shorter generated types",
    text: "In [openapi.json](/openapi.json), examples of objects are in the requests and responses, no longer in their schemas, which generators copied into comments. The variants of a trigger's `on` have names: `TriggerOnCron`, `TriggerOnAt`, `TriggerOnEverySeconds`, `TriggerOnEvent`, `TriggerOnWebhook`. Parameters no longer have names like schemas. Nothing changes on the wire.",
  },
  {
    date: "2026-11-26",
    title: "Shopify's Events start runs",
    text: "[Inbound webhooks](/docs/inbound-webhooks) of the scheme `shopify` also accept deliveries of Shopify's Events, whose headers are `Shopify-Hmac-Sha256`, `Shopify-Topic` and `Shopify-Webhook-Id`.",
  },
  {
    date: "2026-11-26",
    title: "Conditions mean the same everywhere",
    text: "`where` of [triggers](/docs/schedules) and of [awaited events](/docs/waiting) follows the rules of webhooks' filters: `exists` requires a field that exists and is not null, and needs no value; a decimal, even in a text, is compared only with numbers. A condition on a path that an event of the platform does not have, or with a value that nothing can meet, is refused with 400 when it is stored, and the error names the nearest path. Conditions that were stored before do not change. In your own events and in deliveries, texts are still compared with texts.",
  },
  {
    date: "2026-11-25",
    title: "Only a trigger's own branch can change it",
    text: "Only the key that stored a [trigger](/docs/schedules), keys above that one and members can replace, pause, resume, fire, backfill, replay, rotate and delete it, as with [webhooks](/docs/webhooks). Other keys of its project and end user get 409 [already_exists](/docs/errors/already_exists) for its name and 404 for other changes, and see null as the address of its webhook. The console's form can edit a trigger's `tags`, `priority`, `concurrency` and `debounce`; before, it removed them when it saved a trigger.",
  },
  {
    date: "2026-11-25",
    title: "Audit of past months",
    text: "[Audit events](/docs/auditEvents.list) of past months are stored in an archive, which lists read, too: a page can have fewer events than `limit`, or none, and still a `nextCursor`. [Usage](/docs/usage.read) of those months counts whole hours, which `from` and `to` of the response name; `groupBy=minute` is available only for newer months.",
  },
  {
    date: "2026-11-25",
    title: "Testing steps on earlier runs",
    text: "[Testing a step](/docs/runs.steps.test) of a workflow evaluates its expressions with the input and the results of an earlier run, and does nothing else. The workflow may differ from the run's, for example while it is edited; the console's editor shows the values beside the steps. Only keys created from now on can use it.",
  },
  {
    date: "2026-11-25",
    title: "Parallel branches, loops, and caught errors",
    text: "Workflows have three more [types of steps](/docs/compensation): `parallel` runs up to ten branches at the same time, `while` repeats steps as long as a condition holds, up to a maximum, and `try` has `catch`, by code, and `finally`. Expressions can read `last` in a loop and `error` in a catch. Steps that were waiting when a parallel one failed are `cancelled` in the timeline. The limits in [pricing](/docs/pricing.read) include `maximumBranches` and `maximumIterations`.",
  },
  {
    date: "2026-11-25",
    title: "Flow control of runs",
    text: "[Creating a run](/docs/runs.create) accepts `concurrency`, keys that limit the number of [concurrent runs](/docs/flow-control); `priority` among the account's runs; `tags`; and `debounce`, which starts one run for many calls after a quiet period, and whose response contains `debounced`. [Runs](/docs/runs.read) have `concurrency`, `waitingFor`, `priority` and `tags`, and can be listed by `tag` and `createdAfter`. A [batch](/docs/runs.batch) creates up to 100 runs; only keys created from now on can use it. [Triggers](/docs/schedules) accept all of these in `start`.",
  },
  {
    date: "2026-11-25",
    title: "Descriptions of transactions",
    text: "[Transactions](/docs/wallets.transactions.read) have `summary`, a description in words; `calls`, the called functions with their arguments; and `source`, the swap or order that they belong to. The bodies of webhooks' events about them have these fields, too.",
  },
  {
    date: "2026-11-25",
    title: "Providers' webhooks start runs",
    text: "[Triggers](/docs/schedules) accept `webhook` and `where` in `on`: each has an address of its own, `/in/{token}`, to which [a provider delivers](/docs/inbound-webhooks), signed by Standard Webhooks, Stripe, GitHub, Slack, Shopify or an HMAC. Each delivery starts one run, even if it is repeated. `rotate_address` returns a new address while the previous one stays valid for some time. A delivery without a valid signature gets 401 [signature_invalid](/docs/errors/signature_invalid).",
  },
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
  ...FIRST_ENTRIES,
];

/** Returns the public changelog: these entries, and each deprecation with its replacement and last day. */
export function changelogOf(operations: readonly Operation[]): ChangelogEntry[] {
  const deprecations = operations.flatMap(({ operationId, deprecation }) => {
    if (!deprecation) return [];
    const { since, sunset, successor, note } = deprecation;
    return {
      date: since.slice(0, 10),
      title: `${operationId} is deprecated`,
      text: `It works until ${sunset}, and returns 410 \`operation_sunset\` from then on. Use [${successor}](/docs/${successor}). ${note}`,
    };
  });
  return [...deprecations, ...ENTRIES].sort((a, b) => (a.date < b.date ? 1 : -1));
}
