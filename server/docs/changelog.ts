import type { Operation } from "#server/operation/operation.ts";
import { type ChangelogEntry, FIRST_ENTRIES } from "./changelog-first.ts";

/** Changes that concern customers, newest first. Deprecations are declared by operations, not here. */
const ENTRIES: readonly ChangelogEntry[] = [
  {
    date: "2026-11-26",
    title: "Names for the values of fields in openapi.json",
    text: "In [openapi.json](/openapi.json) the values that fields of several operations share are named schemas (`RunStatus`, `OrderSide`, `ApiKeyStatus`), and so are the fields of pages (`PageLimit`, `PageCursor`, `NextCursor`), of periods and of [policies](/docs/wallets.policy.update) (`ApprovalRules`). What a schema says is not repeated by the parameters that have it. `ApprovalActor` takes the place of `ApprovalRequestedBy` and `ApprovalDecisionBy`. Amounts of policies, as `dailyLimitUsd`, are texts in generated clients and in the [SDK](/docs/typescript), where they were `unknown`. Nothing changes on the wire.",
  },
  {
    date: "2026-11-26",
    title: "Lists say how many there are, and markets how deep they are",
    text: "Lists of resources, as [runs](/docs/runs.list), [keys](/docs/apiKeys.list) and [wallets](/docs/wallets.list), take `total=include`: their answer then has `total`, the number of items that match the filters, counted up to 1,000, and whether there are `more`. In the [package](/docs/typescript) it is `page.total`. New: [the depth of a market](/docs/trading.depth.read), what orders of 100 to 1,000,000 USD would cost or bring; for keys made from now on.",
  },
  {
    date: "2026-11-26",
    title: "Capabilities are searched",
    text: "[Capabilities](/docs/capabilities.list), and [those of one service](/docs/capabilities.read), take `search`: a part of an operation's service, id or title.",
  },
  {
    date: "2026-11-26",
    title: "Errors in openapi.json by range",
    text: "In [openapi.json](/openapi.json) each operation declares its errors by `4XX` and `5XX`, whose descriptions list its codes by status, and as before by `x-error-codes`. All have the schema `Failure`, in place of one for each status (`NotFoundError` and its like); codes have the type `ErrorCode`, and its `x-statuses` says the status of each. Generated clients get shorter by up to a third: where code names a schema of a single status, take `Failure`. Nothing changes on the wire.",
  },
  {
    date: "2026-11-26",
    title: "Budgets of runs, events, memories and workflows, and forgetting runs",
    text: "What runs keep (input, result, what their steps answered, timeline) what events and inbound deliveries keep, memories and stored workflows have budgets now, `runsBytes`, `eventsBytes`, `memoriesBytes` and `workflowsBytes` under `limits.storage` in [the prices](/docs/pricing.read); the console's usage page shows what is used. Beyond them new runs, events, memories and versions are refused with 403 [quota_exceeded](/docs/errors/quota_exceeded), deliveries to [inbound webhooks](/docs/inbound-webhooks) with 429 and `Retry-After`, triggers try again, and a run under way ends as failed after the step that it was doing. [Forgetting](/docs/runs.forget) an ended run deletes what is kept of it and frees its bytes; [many](/docs/runs.bulk) at once by the action `forget`; for keys made from now on. [Runs](/docs/runs.read) have `keptBytes` and `forgottenAt`.",
  },
  {
    date: "2026-11-26",
    title: "Lists are searched, narrowed and sorted",
    text: "Lists take `sort`: `createdAt` for the oldest first, and where things have a name or label, as [projects](/docs/projects.list), [keys](/docs/apiKeys.list), [wallets](/docs/wallets.list), [connections](/docs/connections.list), [files](/docs/files.list) and [artifacts](/docs/artifacts.list), that one, with `-` the other way round. A cursor is bound to its order. `search` finds a part of what a resource is called, of a wallet's address and of a project's slug, and the beginning of an id; new for files, artifacts, approvals, webhooks, deliveries, orders, swaps, [credits](/docs/credits.ledger.list) and [services](/docs/services.list). `from` and `to` are new for files, artifacts, approvals, deliveries, orders, swaps and credits, `status` for wallets, connections, webhooks and services, `side` for orders, `serviceId` for artifacts. Searches of one account run one after the other; where eight wait already, further ones answer 429.",
  },
  {
    date: "2026-11-26",
    title: "Wallets of a project",
    text: "[Wallets](/docs/wallets.list) are listed by `projectId`, as runs, files and keys are. In the console a project is chosen beside the account, and everything below is then of that project, as with `X-Service-Project`; an archived one can be looked at.",
  },
  {
    date: "2026-11-26",
    title: "Databases: views, functions, foreign keys and expected rows",
    text: "[Reading the database](/docs/databases.account.read) also lists its `views` and `functions`, and the `foreignKeys` of each table; of a structure that is too large for one answer it lists a part, and `complete` is false. In [actions](/docs/databases.actions), `sql`, `rows.update` and `rows.delete` take `expectedRows`: where another number of rows would be changed, nothing is, and the call answers 409. Together with the system column `xmin` in `where` it changes a row only if nobody has changed it since it was read. Results of `sql` name the statement's `command`, for instance `DELETE`.",
  },
  {
    date: "2026-11-26",
    title: "Mails about approvals",
    text: "Where the platform has a mail server, members who may decide are mailed that [approvals](/docs/approvals.list) wait for them, at most once in 15 minutes. The mail names kinds, times and addresses of pages, and nothing that those who ask have written; deciding takes the signed-in console or the API as before. Everyone turns their mails off on the console's approvals page. The 409 of a [decision](/docs/approvals.decide) that comes too late says who decided, and when.",
  },
  {
    date: "2026-11-26",
    title: "Accounts that are moved",
    text: "While the platform's operator moves an account to another installation, its calls are answered 503 `service_unavailable` with `operationState: not_started` and `Retry-After: 1`: nothing was started, and the same call may be sent again. What was under way ends before or goes on afterwards.",
  },
  {
    date: "2026-11-26",
    title: "Repeated batches",
    text: "A [batch](/docs/runs.batch) or [bulk change](/docs/runs.bulk) of runs answers that an item was refused only where nothing has come of it. What cannot be told, for instance because a limit refuses a repeat of what was done before, fails the call with `operationState: unknown`: its repeat under the same idempotency key finds what is there.",
  },
  {
    date: "2026-11-26",
    title: "Command line: bytes, progress and `--json FILE`",
    text: "The [command line](/docs/command-line) takes a body by `--json FILE` (`--body` goes on working); what `--json` alone said is `--output json`. `files up` and `files down` show their progress on a terminal. `webhooks listen` posts each event byte for byte as a webhook does. In the [package](/docs/typescript), `events.follow` takes `onBody` for these bytes, and `toFile` of a download `onProgress`. Both no longer drop an event whose texts hold the line separators U+2028 or U+2029.",
  },
  {
    date: "2026-11-26",
    title: "Browsers see what models write",
    text: "`watchUrl` of a [run](/docs/runs.read) also sends `output` events, the text of models while they write it, as [following a run](/docs/runs.follow) does. Give it only to those who may read that text. Input, data and result are never sent, and on the privacy tier `strict` there is no such address. [Streams](/docs/streams) shows how a page puts the text together.",
  },
  {
    date: "2026-11-26",
    title: "Shorter generated types",
    text: "In [openapi.json](/openapi.json) the examples of objects stand where they are sent, no more in their schemas, which generators copied into comments. What `on` of a trigger may be has names: `TriggerOnCron`, `TriggerOnAt`, `TriggerOnEverySeconds`, `TriggerOnEvent`, `TriggerOnWebhook`. Parameters no longer have the names of schemas. Nothing changes on the wire.",
  },
  {
    date: "2026-11-26",
    title: "Shopify's Events start runs",
    text: "[Inbound webhooks](/docs/inbound-webhooks) of the scheme `shopify` take the deliveries of Shopify's Events too, whose headers are `Shopify-Hmac-Sha256`, `Shopify-Topic` and `Shopify-Webhook-Id`.",
  },
  {
    date: "2026-11-26",
    title: "Conditions mean the same everywhere",
    text: "`where` of [triggers](/docs/schedules) and of [awaited events](/docs/waiting) judges as webhooks' filters do: `exists` asks for a field that is there and not null, and may stand without a value; a decimal, also in a text, is compared with numbers only. A condition on a path that an event of the platform does not have, or with a value that nothing fulfils, is refused with 400 when it is put, and the nearest path is named. What was stored before stays as it is. Of your own events and of deliveries, texts are still compared with texts.",
  },
  {
    date: "2026-11-25",
    title: "Triggers are changed by their own branch alone",
    text: "A [trigger](/docs/schedules) is replaced, paused, resumed, fired, backfilled, replayed, rotated and deleted by the key that put it, by keys above that one and by members, as [webhooks](/docs/webhooks) are. For other keys of its project and end user its name is taken, 409 [already_exists](/docs/errors/already_exists); other changes are refused with 404, and the address of its webhook is null for them. The console's form keeps a trigger's `tags`, `priority`, `concurrency` and `debounce`, which it removed when it saved one, and edits them.",
  },
  {
    date: "2026-11-25",
    title: "Audit of past months",
    text: "[Audit events](/docs/auditEvents.list) of past months are kept in an archive, which lists read, too: a page can have fewer events than `limit`, or none, and still a `nextCursor`. [Usage](/docs/usage.read) of those months counts whole hours, and its `from` and `to` say which; `groupBy=minute` is answered for newer ones.",
  },
  {
    date: "2026-11-25",
    title: "Steps are tested on earlier runs",
    text: "[Testing a step](/docs/runs.steps.test) of a workflow evaluates its expressions with the input of an earlier run and what its steps have answered, and does nothing else, for keys made from now on. The workflow may be another one than the run's, as it stands in an editor; the console's editor does so beside the drawn steps.",
  },
  {
    date: "2026-11-25",
    title: "Branches side by side, loops, and failures that are caught",
    text: "Workflows have three more [types of steps](/docs/compensation): `parallel` runs up to ten branches at the same time, `while` runs steps again as long as a condition holds, at most as often as it says, and `try` has `catch`, by code, and `finally`. Expressions read `last` in a loop and `error` in a catch. Steps that were waiting beside one that has failed are `cancelled` in the timeline. [Pricing](/docs/pricing.read) has `maximumBranches` and `maximumIterations` among the limits.",
  },
  {
    date: "2026-11-25",
    title: "Flow control of runs",
    text: "[Creating a run](/docs/runs.create) takes `concurrency`, keys under which only so many runs [go on at once](/docs/flow-control); `priority` among the account's runs; `tags`; and `debounce`, which starts one run of many calls after a quiet period, and whose answer says `debounced`. [Runs](/docs/runs.read) have `concurrency`, `waitingFor`, `priority` and `tags`, and are listed by `tag` and `createdAfter`. A [batch](/docs/runs.batch) creates up to 100, for keys made from now on. [Triggers](/docs/schedules) take all of these in `start`.",
  },
  {
    date: "2026-11-25",
    title: "Transactions say what they do",
    text: "[Transactions](/docs/wallets.transactions.read) have `summary`, what they do or have done in words; `calls`, the functions that they call, argument by argument; and `source`, the swap or order that they belong to. The bodies of webhooks' events about them have these too.",
  },
  {
    date: "2026-11-25",
    title: "Providers' webhooks start runs",
    text: "[Triggers](/docs/schedules) take `webhook` and `where` in `on`: each has an address of its own, `/in/{token}`, to which [a provider delivers](/docs/inbound-webhooks) what Standard Webhooks, Stripe, GitHub, Slack, Shopify or an HMAC signs. Each delivery starts one run, whatever is sent again. `rotate_address` gives a new address while the one before is good still. A delivery that is not signed with the secret gets 401 [signature_invalid](/docs/errors/signature_invalid).",
  },
  {
    date: "2026-11-24",
    title: "Events start runs",
    text: "[Triggers](/docs/schedules) take `event` and `where` in `on`: an event that `managed-events` sends, whose answer tells how many runs it has `started`, or one of the platform's. Expressions in the input read it. Events wait for seven days while the trigger is paused; `replay` begins anew with those that have started no run. Runs that start each other by events stop after eight, with `loop_detected` in the trigger's log. Runs that members create go on with events of the platform that their role may read.",
  },
  {
    date: "2026-11-23",
    title: "Your own code as a step",
    text: "A step of type `http` takes `callback`: its texts read `callback.url`, an address of one use, and it [waits](/docs/waiting) without a worker for what is posted there, which is its output. Heartbeats say that the work goes on. Somebody who calls back too late gets 410 [callback_over](/docs/errors/callback_over).",
  },
  {
    date: "2026-11-23",
    title: "Runs wait for events of the platform",
    text: "A step of type `await` takes the names of [webhooks' events](/docs/events), such as `wallet.deposit.confirmed`: those since the run's start that the key could read [count](/docs/waiting), without any webhook.",
  },
  {
    date: "2026-11-23",
    title: "Runs wait for your own events",
    text: "A new service, `managed-events`, has `send`, and workflows a step of type `await`: it [waits](/docs/waiting) for the first of several events, also for one that was sent before it began, and no worker is occupied meanwhile. Keys with a service boundary that were made before do not reach the service. [Runs](/docs/runs.read) that are read have `waitsFor`. Runs, and steps of type `wait`, last up to 30 days.",
  },
  {
    date: "2026-11-23",
    title: "Runs that start by themselves",
    text: "A new service, `managed-triggers`, has `put`, `get`, `list`, `pause`, `resume`, `fire`, `backfill` and `delete`: [schedules](/docs/schedules) by a crontab line in a time zone, by an interval, or once, with what to do about runs that have not ended and times that were missed. Keys with a service boundary that were made before do not reach it. [Creating a run](/docs/runs.create) takes `startAt`, at most a year ahead. [Runs](/docs/runs.read) have `triggerId`, `scheduledAt` and `startsAt`, and are listed by `triggerId`. Webhooks can get `trigger.paused` and `trigger.failed`.",
  },
  {
    date: "2026-11-23",
    title: "Webhooks: filters, thin bodies, headers, and how they do",
    text: "[Webhooks](/docs/webhooks) take `filter`, up to 20 conditions on the event's body that are judged before anything is sent; `payload: \"thin\"`, which sends the id, the resource and its status in place of `data`; and `headers` for each attempt, which are sealed and shown by their names alone. They answer `filter`, `payload` and `headerNames`. [Webhooks](/docs/webhooks.list) that are listed or read have `health.lastDeliveries`: how many of the last 100 arrived. `/inspect` of each installation takes every delivery and keeps nothing; what was sent is read at the webhook's deliveries.",
  },
  {
    date: "2026-11-23",
    title: "Usage by the minute, and what was left each day",
    text: "[Usage](/docs/usage.read) is grouped by `minute`, `hour` or `project` too, narrowed by `operation` and `keyId`, and has `p99Ms`; `totals` has the percentiles of the whole period. A project or an end user that is unknown has no usage; what belongs to none was counted for it before. [The balance](/docs/credits.balance.read) takes `historyDays` and then answers what there was at the end of each day.",
  },
  {
    date: "2026-11-23",
    title: "What a wallet has sent to an address",
    text: "[Transactions](/docs/wallets.transactions.list) are listed by `to`, an address. Each chain of [health](/docs/health.read) has its `name`.",
  },
  {
    date: "2026-11-23",
    title: "Workflows are stored, in versions",
    text: "`managed-workflows` has `put`, `get`, `list`, `archive` and `restore`, and the run capability `start`, for keys made from now on: a [workflow](/docs/workflows) is stored under a name in versions that never change, with a JSON Schema for its input, and a key with the selector `runs.create.managed-workflows.start` runs what is stored and nothing inline. A run's `workflow` says which version it keeps; [runs](/docs/runs.list) are listed by `workflowId` and `workflowVersion`. [Retrying](/docs/runs.retry) takes `workflowVersion`, to go on with a corrected version. A step of type `run` runs one as a run of its own and waits for it.",
  },
  {
    date: "2026-11-23",
    title: "What an agent writes, while it does",
    text: "[Following a run](/docs/runs.follow) shows a model's text as `output` events, twice a second, each with its step and the offset that it begins at; ids of these have a dot. Nothing else of the stream has changed: clients that know only `timeline` and `run` pass over them. The [SDK](/docs/streams) has `onOutput`.",
  },
  {
    date: "2026-11-23",
    title: "Receipts say where a payment was reversed",
    text: "A receipt at `/receipts/{receiptId}` has `reversed`: true where a reorganisation of the chain has taken the payment back, and its credits with it. Its signature stays as it was; ask the address whether it still holds.",
  },
  {
    date: "2026-11-23",
    title: "Runs have names",
    text: "A [run](/docs/runs.read) has a `name`, the workflow's or the first line of the agent's task, so that lists say what ran; `retryOf`, the run that it repeats; and `parentId`, the run whose step created it. [List](/docs/runs.list) them by a part of the name (`search`), by `operationId`, `parentId`, `retryOf`, and `from` and `to` a moment. A timeline's entry of a step that is sent has the `requestId` of its call; lists leave timelines out with `timeline=exclude`. [Many](/docs/runs.bulk) are retried from where each failed with `retryFrom`.",
  },
  {
    date: "2026-11-23",
    title: "A command line",
    text: "`npm install --global` takes [msp](/docs/command-line) from `/clients/cli.tgz` of each installation. It signs in by the browser, calls every operation, waits for runs and shows what they do, uploads and downloads files, reads the database, sends events to a server on your computer, and says what is wrong (`msp doctor`). In the [SDK](/docs/typescript) `longestWaitMs` bounds for how long a call waits before it is sent again.",
  },
  {
    date: "2026-11-23",
    title: "A key can ask what it is",
    text: "[Read the calling key](/docs/apiKeys.current) answers the key, or the app's access, that makes the call, and the account it acts for. Every key that counts may call it, whatever its scopes and boundaries, keys made before too; limits count.",
  },
  {
    date: "2026-11-23",
    title: "Programs without a browser sign in by a code",
    text: "The platform's command line asks `/oauth/device` for a code (RFC 8628); its person enters it at `/device`, compares who asks, and allows what they choose on the page that [apps](/docs/connect-an-app) lead to. The authorization server's metadata has `device_authorization_endpoint`.",
  },
  {
    date: "2026-11-23",
    title: "Runs and events are followed as they happen",
    text: "[Follow a run](/docs/runs.follow) by server-sent events: each entry of its timeline within moments, and by `Last-Event-ID` nothing is lost or repeated where a connection breaks. [Follow the account's events](/docs/events.follow) likewise, where no webhook reaches you; it needs a key made from now on. [Streams](/docs/streams) says how. [Reading a run](/docs/runs.read) takes `waitSeconds`, also as a tool, which then tells of its progress. It answers `watchUrl`, by which a browser without a key watches status, progress and messages. `runs.follow` and `runs.wait` of the SDK use them; its `runs.read` takes query fields before options.",
  },
  {
    date: "2026-11-23",
    title: "What the console can, the API can",
    text: "New operations, for keys made from now on: [read one API key](/docs/apiKeys.read), [approval](/docs/approvals.read), [webhook](/docs/webhooks.read) or [delivery](/docs/webhookDeliveries.read) with the bytes that were sent; [restore a project](/docs/projects.restore); [cancel an order](/docs/trading.orders.cancel); [markets](/docs/trading.markets.list) and their [prices](/docs/trading.prices.list); the [ledger](/docs/credits.ledger.list) of credits; [test](/docs/webhooks.test) a webhook, [count](/docs/webhooks.missed.read) and [recover](/docs/webhooks.recover) what it missed; [try a policy](/docs/wallets.policy.simulate) on what a wallet has sent. [Retry](/docs/runs.retry) a run from a step on, with another input or a corrected workflow; [retry or cancel](/docs/runs.bulk) up to 50 at once.",
  },
  {
    date: "2026-11-23",
    title: "Apps sign in by OAuth",
    text: "MCP clients and other apps get access by [OAuth 2.1](/docs/connect-an-app): the URL of `/mcp` is all that a person enters, and a page asks what the app may do, how much it may spend and until when. What they allow is an [API key](/docs/apiKeys.list) with the new field `app`; the app calls with short-lived tokens of it. A 401 of `/v1` and `/mcp` says where to sign in, in `WWW-Authenticate`, and a 403 for a missing scope how to ask for it. An app's `client_id` may be the URL of a document that its host publishes. The console lists connected apps and revokes them; an owner decides who may connect any; `app.connected` and `app.ended` are new [events](/docs/webhooks). Keys work as before.",
  },
  {
    date: "2026-11-23",
    title: "An SDK for TypeScript",
    text: "`npm install` takes a typed [package](/docs/typescript) from `/clients/sdk.tgz` of each installation: it keeps idempotency keys over retries, iterates pages, verifies files and webhooks, and pays by x402. The TypeScript examples of this reference use it.",
  },
  {
    date: "2026-11-23",
    title: "Names for generators",
    text: "In [openapi.json](/openapi.json) each body, answer, id and nested object is a named schema (`CreateProject`, `ProjectList`, `ProjectId`, `ApprovalSubject`), so that generators make types with these names. The document has one webhook, whose body is a `WebhookEvent`: an `EventEnvelope` with the `type` and `data` of one event. Examples of bodies and parameters stand in `examples`. Nothing changes on the wire.",
  },
  {
    date: "2026-11-23",
    title: "Health names its release",
    text: "[Health](/docs/health.read) says the `version`, the `commit` and the database's `schema` of the process that answers.",
  },
  {
    date: "2026-11-23",
    title: "Approvals belong to their wallet's project",
    text: "The [approval](/docs/approvals.list) of a transaction, signature, swap or order has the project and the end user of its wallet, whichever key asked for it. Before, what a key of the whole account asked for in a project's wallet stayed as it was once it was approved. An approved transaction is judged by the limits of network fees once more, as swaps and orders are.",
  },
  {
    date: "2026-11-22",
    title: "Files answer in time",
    text: "While the platform's store of bytes hangs, calls for [files](/docs/files.create), artifacts and archives answer 503 `service_unavailable` within five seconds, as they do while it is away; everything else goes on.",
  },
  {
    date: "2026-11-22",
    title: "Signed transfers are reserved",
    text: "A transfer by signature (EIP-3009) of a listed token is reserved from its [signature](/docs/wallets.signatures.create) on, until the chain has used or cancelled its nonce or it has expired; one that others leave too little for is 409 `state_conflict`. [Limits and reservations](/docs/spending) says what counts against a policy's limits, what is reserved and what is not, and how to stop the orders of a revoked key.",
  },
  {
    date: "2026-11-22",
    title: "Digits within runs",
    text: "Workflows and agents hand on every digit of what databases, services and other systems answer; to compute with a number of more digits than a double keeps, an expression rounds it by `$number($string(x))`. Numbers in queries are taken as they are written too: `limit=25.00000000000000000001` is refused. A step or a tool that is answered more than 8,388,608 characters, or 256 levels of JSON, fails with `query_limit_exceeded`.",
  },
  {
    date: "2026-11-22",
    title: "Limits of network fees",
    text: "A wallet's policy has `maxNetworkFeeUsd`, for one transaction, and `dailyNetworkFeeUsd`, for a UTC day; null is the installation's limit (25 and 100 USD unless its operator says otherwise). A fee counts at its most from creation on, replacements included, and as what was paid once the transaction is in a block. What exceeds a limit is denied with `policy_denied`; a send that the network has come to ask more for before it is signed fails so, unsigned and free of charge, and a standing order waits.",
  },
  {
    date: "2026-11-22",
    title: "Calls outlive a worker that dies",
    text: "Calls are answered while the worker is started again; runs, deliveries and transactions go on after. [Health](/docs/health.read) is `degraded` meanwhile, and its `checks` name the `worker`.",
  },
  {
    date: "2026-11-22",
    title: "Bounds of JSON bodies",
    text: "A JSON body has at most 200,000 values, 10,000 fields in one object and 64 levels; [pricing](/docs/pricing.read) publishes them beside its bytes. Beyond a bound the call answers 400 `invalid_request` with the place. A refusal has at most 100 `issues`; of a body of over 5,000 values it tells the first fault. A `multicall` whose calls overlap in its calldata counts as unknown.",
  },
  {
    date: "2026-11-22",
    title: "Timelines of runs",
    text: "A failed attempt at a step that is made again is an entry `retry` of the step's own path, no finished step; a call shows as `sent` before its answer. A run has at most 10,000 entries. Agents are charged for the tokens that they used however their run ends. An answer to an `http` step that is too large fails it with `query_limit_exceeded`.",
  },
  {
    date: "2026-11-22",
    title: "Connections and services",
    text: "A connection is `broken` when three addresses in a row answer 401, or one does ten times, and no longer after a single 401. A `connectionId` that is not bound to the service's host is refused with 400 at `body.connectionId`. A connection's `secret` may begin with `whsec_`.",
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
      text: `It works until ${sunset}, and answers 410 \`operation_sunset\` from then on. Use [${successor}](/docs/${successor}). ${note}`,
    };
  });
  return [...deprecations, ...ENTRIES].sort((a, b) => (a.date < b.date ? 1 : -1));
}
