import type { Operation } from "#server/operation/operation.ts";
import { type ChangelogEntry, FIRST_ENTRIES } from "./changelog-first.ts";

/** Changes that concern customers, newest first. Deprecations are declared by operations, not here. */
const ENTRIES: readonly ChangelogEntry[] = [
  {
    date: "2026-11-30",
    title: "Triggers that somebody else has changed",
    text: "`managed-triggers` `put` takes `ifUpdatedAt`, the `updatedAt` of the [trigger](/docs/schedules) that the change is based on, or null where there must be no trigger of the name; otherwise it is refused with `state_conflict`. The console sends it, and sends of a webhook, connection, contact and project only the fields that were edited.",
  },
  {
    date: "2026-11-30",
    title: "Approvers' keys decide only",
    text: "The access that an approver gives to the command line with `approvals:write` decides approvals and nothing else, as the approver does: its `allowedOperations` contain neither [asking for approvals](/docs/approvals.create) nor [changing a wallet's policy](/docs/wallets.policy.update). Keys of a member who becomes an approver are revoked if they may do either.",
  },
  {
    date: "2026-11-30",
    title: "Only a workflow's own branch can change it",
    text: "Only the key that stored the newest version of a [workflow](/docs/workflows), keys above that one and members can store the next version, archive it and restore it, as with [triggers](/docs/schedules): whoever starts it by name does what it says with their own rights. Other keys of its project and end user get 409 [already_exists](/docs/errors/already_exists) for its name and 404 for other changes, and can still read and start it. Once that key has ended, a root key with at least its access can, too, also for triggers. Members can store it if their role has all scopes of its author. Storing the newest content again returns that version only to its author, and makes others the author of a next one.",
  },
  {
    date: "2026-11-30",
    title: "Webhooks of members, within their role",
    text: "A [webhook](/docs/webhooks) that a member creates or adopts, or whose address, events, filter or form of body they change, gets only events within the member's role: a developer's gets no `wallet.signature.*`. Subscribing to these alone is refused with `scope_missing`. Waiting deliveries beyond the role are abandoned, and not replayed. An administrator or a key that sends the `url` again lifts that. Webhooks that members made before receive what they did, until one of these settings is changed. A member reads the body of a [delivery](/docs/webhookDeliveries.read) only within their role.",
  },
  {
    date: "2026-11-30",
    title: "Webhooks of keys that were revoked meanwhile",
    text: "A [webhook](/docs/webhooks.list) that was created while its key was being revoked is `disabled` with the reason `key_revoked`, and can be adopted. It stayed `active`, received nothing, and kept its owner.",
  },
  {
    date: "2026-11-30",
    title: "Summaries of approvals keep no bodies",
    text: "The `summary` of an [approval](/docs/approvals.list) that a key of the tier `private` or `strict` requests for a service action, or whose run does, names the action and quotes nothing of the input. The `payload` has the input until the approval is settled.",
  },
  {
    date: "2026-11-30",
    title: "Media types that no header can carry",
    text: "An upload whose `Content-Type` has control characters, or characters beyond `ÿ`, in a quoted parameter is refused with `unsupported_media_type`, also over MCP. An [artifact](/docs/artifacts.content.read) of such a type is stored and sent as `application/octet-stream`: reading it failed before. A person's name with a lone surrogate is refused with `invalid_request`.",
  },
  {
    date: "2026-11-30",
    title: "Events of the database stay with the account",
    text: "The [events](/docs/events) `database.*` and `database.transfer.*` are not sent any more to [webhooks](/docs/webhooks), streams, runs and triggers of keys that are bound to a project or an end user, as these keys can't use the database either. Keys of the whole account receive them as before, also within a project.",
  },
  {
    date: "2026-11-30",
    title: "Runs wait for the platform",
    text: "A [run](/docs/runs.read) does not fail any more because the platform's own databases, blob store or evaluators are lost or have too much to do: it continues once they are back, and the step is neither failed nor an attempt of its `retry`. An `http` step's request is recorded as sent right before it leaves, so that an earlier fault does not leave its outcome unknown. A send whose call the chain's node can't try at present waits, and is not told as refused by the contract.",
  },
  {
    date: "2026-11-30",
    title: "Definitions and long values in exports",
    text: 'An [export](/docs/databases.transfers.create) whose tables, functions, comments and other definitions have more than 128 MB fails and names the object that passes that. Beyond a megabyte of JSON and arrays in one row, it contains PostgreSQL\'s own text of them, in the member `""` of the row.',
  },
  {
    date: "2026-11-29",
    title: "The most that a run keeps",
    text: "A [run](/docs/runs.read) whose `keptBytes` exceed 64 MB (`limits.runs.maximumKeptBytes` of [prices](/docs/pricing.read)) fails with `size_limit_exceeded`. Only agents whose tools answer much can keep as much.",
  },
  {
    date: "2026-11-29",
    title: "Pages of large items",
    text: "A page of [runs](/docs/runs.list) ends before its inputs, results and timelines would exceed about 4 MB, one of [approvals](/docs/approvals.list) before its payloads, and one of triggers before the inputs of its starts. It then holds fewer items than `limit`, and `nextCursor` continues after its last one.",
  },
  {
    date: "2026-11-29",
    title: "Whether all groups of usage are returned",
    text: "`truncated` of [usage](/docs/usage.read) says whether there are more than the 1,000 groups that are returned. The console says so below the tables of usage and spending, and of their exports. These exports contain the names of all keys and projects, and are sorted as the table is.",
  },
  {
    date: "2026-11-29",
    title: "What a person did, connections by host, and content by its hash",
    text: "[Audit events](/docs/auditEvents.list) and [usage](/docs/usage.read) accept `memberId`, and the console filters both by a person. [Connections](/docs/connections.list) can be listed by a `host` that their `allowedHosts` allow. `search` of [files](/docs/files.list) and [artifacts](/docs/artifacts.list) also finds content by its whole SHA-256. In the console triggers, stored workflows and memories are sorted by name.",
  },
  {
    date: "2026-11-29",
    title: "More filters and columns in the console",
    text: "The console finds exports and imports of the database by the beginning of their id, narrows a webhook's deliveries to one event, and lists all runs of a trigger, of a stored workflow, and all retries of a run. Stored workflows show when they were created, and can be listed oldest first. Several runs of one version can be cancelled, retried and forgotten together. Swaps and orders have a column for their wallet, and exports of wallets and audit events include the policy and the address.",
  },
  {
    date: "2026-11-29",
    title: "Audit events searched, counted, and oldest first",
    text: "[Audit events](/docs/auditEvents.list) accept `search`, a part of the operation's name or a whole request id, `sort=createdAt` for the oldest first, and `total=include`. Archived months are searched in both orders; `total` does not count them, and says `more`. The console's audit list offers them.",
  },
  {
    date: "2026-11-29",
    title: "Models, mails and payments in health",
    text: "Where they are configured, the `checks` of [health](/docs/health.read) name the `model` endpoint of agents, the `mail` server and the `facilitator` of payments, and the platform is `degraded` while one of them does not answer.",
  },
  {
    date: "2026-11-29",
    title: "Usage of one status",
    text: "[Usage](/docs/usage.read) can be narrowed to calls that were answered with one HTTP status: `status=429`, in every grouping, and as long as usage is kept. Hours that were counted before statuses were are left out. The console's usage page filters by it, too.",
  },
  {
    date: "2026-11-29",
    title: "End users and memories in the console",
    text: "The console lists end users, and shows of each what belongs to them; it lists memories by name, tag and end user, and shows, stores, replaces and deletes them; `managed-memory put` takes `ifUpdatedAt`, so that what another has stored meanwhile is not replaced. ⌘K finds memories of end users, too, and in a project the end users of the whole account. `endUser` restricts the lists of [runs](/docs/runs.list), [artifacts](/docs/artifacts.list), [approvals](/docs/approvals.list), [connections](/docs/connections.list), [wallets](/docs/wallets.list), [swaps](/docs/swaps.list), [orders](/docs/trading.orders.list), [positions](/docs/trading.positions.list), [webhooks](/docs/webhooks.list), [keys](/docs/apiKeys.list) and [audit events](/docs/auditEvents.list), and [usage](/docs/usage.read), to the end user with this id of yours, as it does [files](/docs/files.list). [Webhooks](/docs/webhooks.list) can also be listed by an `event` that they receive, and [connections](/docs/connections.list) by their `authType`; the console filters by both, by the kind of triggers, by the symbol of orders, and by the expiry of keys.",
  },
  {
    date: "2026-11-29",
    title: "One type for events with the same data",
    text: "In [openapi.json](/openapi.json) and the [SDK](/docs/typescript), events with the same data share a type: `ProjectEvent` replaces `ProjectCreatedEvent`, `ProjectUpdatedEvent` and `ProjectArchivedEvent`, and its `type` is one of their names. `WebhookEvent` is the union as before, and comparing `event.type` determines the type of `event.data`. The type of the events about webhooks is `WebhookStateEvent`, that of their data `WebhookStateEventData`. Required fields have their examples in requests and responses only. Nothing changes on the wire.",
  },
  {
    date: "2026-11-28",
    title: "The console finds by any part of an id",
    text: "⌘K finds projects, keys, wallets, contacts, webhooks, connections and workflows, and the newest 500 resources of other kinds, by any part of their id behind the time, such as its last three characters, also as pages show it (`key_01m8…x7k2q9`); every run, trigger, file, artifact, memory, approval, end user, transaction, signature, order and swap by the last six characters of its id; wallets and contacts by a part of their address; transactions by the address that they were sent to or came from; and memories, end users, connected apps, invitations, sent events, entries of the ledger, the platform's [events](/docs/events), and the order, send, signature or swap that used a quote. Where an error repeats a character that turns the direction of text, it contains it as `\\u{202e}`.",
  },
  {
    date: "2026-11-28",
    title: "Long results beside other accounts",
    text: "While other accounts make calls, long results of [queries](/docs/databases.query) are read in turns, in a quarter of a process's time: one of 2 MB takes two to three times as long. The time counts in `timeoutMs`. Their answers are sent in chunks, without `Content-Length`; what a page has beyond 1 MB is stored until it is read, and counts in the `results` of the storage budgets meanwhile (`quota_exceeded`). Tools and steps of runs get pages of at most 4 MB. A client that reads nothing of a streamed answer or a download for a minute is disconnected. The rows that the [actions](/docs/databases.actions) of one call return may have 4 MB (`limits.maximumActionAnswerBytes`), 64 MB before.",
  },
  {
    date: "2026-11-28",
    title: "Charges of a run's sends",
    text: "`chargedCredits` of a [run](/docs/runs.read) includes what the sends, swaps and orders of its steps are charged. They are charged once they are carried out, which may be after the run has ended.",
  },
  {
    date: "2026-11-28",
    title: "Usage of sends, swaps and orders",
    text: "What sends, swaps and orders are charged is now in [usage](/docs/usage.read) and in [audit events](/docs/auditEvents.list), as `wallets.transactions.settle`, `swaps.settle` and `trading.orders.settle`, with the service in `groupBy=service`. Such charges, and `runs.settle`, count no request and no duration any more; `p50Ms`, `p95Ms` and `p99Ms` of a group are null if it has no request.",
  },
  {
    date: "2026-11-28",
    title: "Owners of webhooks, and unneeded approvals",
    text: "`status: active` on a disabled [webhook](/docs/webhooks.update) keeps its owner while that key is valid; before, whoever sent it became the owner. An `approvalId` for a change of a [policy](/docs/wallets.policy.update), or for [removing a database](/docs/databases.account.deprovision), that needs no approval gets 400. Problem details (`Accept: application/problem+json`) contain the members beside `error`, such as the `accepts` of a 402. A statement under way while its database is removed gets 409, not 503.",
  },
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
