import { type ChangelogEntry, FIRST_ENTRIES } from "./changelog-first.ts";

/** The entries up to 2026-11-26, newest first. */
export const EARLIER_ENTRIES: readonly ChangelogEntry[] = [
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
  ...FIRST_ENTRIES,
];
