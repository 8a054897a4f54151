import type { Operation } from "#server/operation/operation.ts";
import { EARLIER_ENTRIES } from "./changelog-earlier.ts";
import type { ChangelogEntry } from "./changelog-first.ts";

/** Changes that concern customers, newest first. Deprecations are declared by operations, not here. */
const ENTRIES: readonly ChangelogEntry[] = [
  {
    date: "2026-11-30",
    title: "The most waits for an event of the platform",
    text: "The [runs](/docs/waiting) of an account can have 1,000 waits for the same event of the platform at a time (`limits.events.maximumWaitsPerEvent` of [prices](/docs/pricing.read)); a step that would begin another one fails with [quota_exceeded](/docs/errors/quota_exceeded). Waits that have begun go on. The conditions on an awaited event have at most 16 KB of JSON once their expressions are evaluated (`maximumConditionsBytes`); a step whose conditions are larger fails with `invalid_request`. Each event was compared with all waits for it, and events of other accounts waited meanwhile.",
  },
  {
    date: "2026-11-30",
    title: "Download addresses end with their key",
    text: "The `downloadUrl` of a [file](/docs/files.read) or artifact is valid for 15 minutes, and no longer than the key it was returned to: once that key or one above it is revoked or expires, or the member is removed, it gets 404 as an expired one does. It is null for keys that may list or upload files and not [read](/docs/files.read) them; these addresses served the bytes nevertheless.",
  },
  {
    date: "2026-11-30",
    title: "What archiving a project stops",
    text: "The reference of [archiving a project](/docs/projects.archive) said that none of its resources can be changed. That holds for keys that are bound to it, whose writes get 409, and for selecting it, which no key can. Keys of the whole account can still change its resources by id, as before.",
  },
  {
    date: "2026-11-30",
    title: "Keys of end users change no projects",
    text: "A key that is bound to an end user gets 403 [project_not_allowed](/docs/errors/project_not_allowed) for [creating](/docs/projects.create), [changing](/docs/projects.update), [archiving](/docs/projects.archive) and restoring projects, as a key that is bound to a project does: archiving one stopped the keys of other end users. It still [lists](/docs/projects.list) and reads projects, and selects them.",
  },
  {
    date: "2026-11-30",
    title: "Invitations of former owners end",
    text: "An owner who is given another role loses the invitations that they sent and nobody has accepted, as a member who is removed does. They stayed valid for up to seven days, also those to become an owner. An invitation that was being sent meanwhile is refused with `scope_missing`.",
  },
  {
    date: "2026-11-30",
    title: "Delayed runs that wait for credits",
    text: "A [run](/docs/runs.create) whose start at `startAt`, or after its `debounce`, is refused for missing credits or a daily limit is tried again after an eighth of the time that it has waited, 5 to 30 seconds later, together with the account's other due runs of the same operation. It was tried every 5 seconds.",
  },
  {
    date: "2026-11-30",
    title: "Network fees of chains of the OP Stack",
    text: "The `feePaid` of a [transaction](/docs/wallets.transactions.read) on a chain of the OP Stack, as Optimism and Base, includes the fee for its data on the layer below (`l1Fee` of its receipt), and so do the network fees of [orders](/docs/trading.orders.read) and what counts against `dailyNetworkFeeUsd`. They contained only the fee for gas. Quotes and reservations still contain only that one.",
  },
  {
    date: "2026-11-30",
    title: "Orders count on the day on which they trade",
    text: "What an [order](/docs/trading.orders.create) trades on a later UTC day than it was placed counts against the wallet's `dailyLimitUsd` of that day. It counted only on the day on which the order was placed. An order whose trade the day's limit has no room for ends as `rejected` with `policy_denied`, as before.",
  },
  {
    date: "2026-11-30",
    title: "Error messages and the privacy tiers",
    text: "A message can quote what a [run](/docs/runs.read) was given, as the posted error of a callback or an expression's `$error` does. On the tier `strict` a run's `error` and timeline now have the meaning of the error code in its place. On `private` such messages, and the texts and data of log lines, are purged with the input a day after the run's end, and [webhooks](/docs/webhooks) get none of them on either tier.",
  },
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
    title: "Webhooks and triggers of keys that were revoked meanwhile",
    text: "A [webhook](/docs/webhooks.list) that was created while its key was being revoked is `disabled` with the reason `key_revoked`, and can be adopted. It stayed `active`, received nothing, and kept its owner. A [trigger](/docs/schedules) that was put then is `paused` with the reason `owner_ended` within a minute, and so is one that events start when its key expires or its member is removed. A run that is started by hand on a trigger that was paused before its owner ended is `skipped`; it waited for ever.",
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
  ...EARLIER_ENTRIES,
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
