import { idIn } from "#app/(console)/_shell/recent-ids.ts";
import { routes } from "#components/routes.ts";
import type { Scope } from "#server/operation/scopes.ts";

/** An action, offered as a link to its page. */
export type Action = { label: string; href: string; scope: Scope };

const forms: readonly Action[] = [
  { label: "New project", href: routes.projects.create(), scope: "projects:write" },
  { label: "New key", href: routes.apiKeys.create(), scope: "api_keys:manage" },
  { label: "New run", href: routes.runs.create(), scope: "runs:write" },
  { label: "New workflow", href: routes.workflows.create(), scope: "runs:write" },
  { label: "New trigger", href: routes.triggers.create(), scope: "runs:write" },
  { label: "New task for an agent", href: routes.agents.create(), scope: "runs:write" },
  { label: "New wallet", href: routes.wallets.create(), scope: "wallets:create" },
  { label: "New swap", href: routes.swaps.create(), scope: "wallets:transact" },
  { label: "New order", href: routes.trading.create(), scope: "trading:execute" },
  { label: "New connection", href: routes.connections.create(), scope: "connections:write" },
  { label: "New webhook", href: routes.webhooks.create(), scope: "webhooks:write" },
  { label: "Buy credits", href: routes.creditsBuy(), scope: "credits:write" },
];

/** Returns the actions that are available everywhere to a person with these scopes. */
export const generalActions = (scopes: readonly Scope[]) =>
  forms.filter(({ scope }) => scopes.includes(scope));

/**
 * Returns the actions on the resource or list of the current page; `failedStep` is the step from which the page's run
 * can be retried.
 */
export function actionsOn(pathname: string, scopes: readonly Scope[], failedStep?: string): Action[] {
  const id = idIn(pathname);
  const fitting = id ? ofResource(id, pathname, failedStep) : ofList(pathname);
  return fitting.filter(({ scope }) => scopes.includes(scope));
}

const lists: readonly (Action & { of: string })[] = [
  {
    of: routes.apiKeys.list(),
    label: "Explain access",
    href: routes.apiKeys.explain(),
    scope: "api_keys:manage",
  },
  {
    of: routes.runs.list(),
    label: "Cancel several runs",
    href: routes.runs.bulk("cancel", {}),
    scope: "runs:write",
  },
  {
    of: routes.runs.list(),
    label: "Retry several runs",
    href: routes.runs.bulk("retry", {}),
    scope: "runs:write",
  },
  {
    of: routes.runs.list(),
    label: "Forget several runs",
    href: routes.runs.bulk("forget", {}),
    scope: "runs:write",
  },
  {
    of: routes.workflows.list(),
    label: "Stored workflows",
    href: routes.workflows.stored(),
    scope: "runs:read",
  },
  {
    of: routes.workflows.stored(),
    label: "New workflow",
    href: routes.workflows.create(),
    scope: "runs:write",
  },
  {
    of: routes.triggers.list(),
    label: "Calendar of triggers",
    href: routes.triggers.calendar(),
    scope: "runs:read",
  },
  { of: routes.wallets.list(), label: "Address book", href: routes.contacts.list(), scope: "wallets:read" },
  {
    of: routes.contacts.list(),
    label: "New contact",
    href: routes.contacts.create(),
    scope: "wallets:transact",
  },
];

/** Returns the actions of a list's page: its create form, and actions on many or beside it. */
function ofList(pathname: string): Action[] {
  const form = forms.find(({ href }) => href.replace(/\/[^/]*$/, "") === pathname);
  return [...(form ? [form] : []), ...lists.filter(({ of }) => of === pathname)];
}

function ofResource(id: string, pathname: string, failedStep: string | undefined): Action[] {
  switch (id.split("_")[0]) {
    case "key":
      return [
        { label: "New key below this one", href: routes.apiKeys.createBelow(id), scope: "api_keys:manage" },
        { label: "Rotate this key", href: routes.apiKeys.rotate(id), scope: "api_keys:manage" },
        {
          label: "Explain this key’s access",
          href: routes.apiKeys.explain({ key: id }),
          scope: "api_keys:manage",
        },
        { label: "Compare this key", href: routes.apiKeys.compare(id), scope: "api_keys:manage" },
        { label: "Audit of this key", href: routes.audit({ keyId: id }), scope: "audit:read" },
      ];
    case "proj":
      return [
        { label: "Edit this project", href: routes.projects.edit(id), scope: "projects:write" },
        { label: "Switch to this project", href: routes.projects.choose(id), scope: "projects:read" },
        { label: "New key in this project", href: routes.projects.createKey(id), scope: "api_keys:manage" },
        { label: "Audit of this project", href: routes.audit({ projectId: id }), scope: "audit:read" },
      ];
    case "wal":
      return [
        { label: "Send from this wallet", href: routes.wallets.send(id), scope: "wallets:transact" },
        { label: "Sign with this wallet", href: routes.wallets.sign(id), scope: "wallets:sign" },
        { label: "Edit this wallet’s policy", href: routes.wallets.policy(id), scope: "approvals:write" },
      ];
    case "run":
      return pathname.startsWith(routes.agents.list())
        ? [{ label: "Open this agent’s run", href: routes.runs.read(id), scope: "runs:read" }]
        : [
            { label: "Run this again", href: routes.runs.create({ from: id }), scope: "runs:write" },
            ...(failedStep === undefined
              ? []
              : [
                  {
                    label: "Retry this run from its failed step",
                    href: routes.runs.retry(id, failedStep),
                    scope: "runs:write" as const,
                  },
                ]),
          ];
    case "wf":
      return [
        {
          label: "New version of this workflow",
          href: routes.workflows.create({ stored: id }),
          scope: "runs:write",
        },
      ];
    case "mem":
      return [{ label: "Edit this memory", href: routes.memories.edit(id), scope: "services:invoke" }];
    case "trg":
      return [
        { label: "Edit this trigger", href: routes.triggers.edit(id), scope: "runs:write" },
        { label: "Backfill this trigger", href: routes.triggers.backfill(id), scope: "runs:write" },
      ];
    case "conn":
      return [
        { label: "Edit this connection", href: routes.connections.edit(id), scope: "connections:write" },
        {
          label: "Rotate this connection’s secret",
          href: routes.connections.rotate(id),
          scope: "connections:write",
        },
      ];
    case "wh":
      return [
        { label: "Edit this webhook", href: routes.webhooks.edit(id), scope: "webhooks:write" },
        { label: "Rotate this webhook’s secret", href: routes.webhooks.rotate(id), scope: "webhooks:write" },
        {
          label: "Recover missed events of this webhook",
          href: routes.webhooks.recover(id),
          scope: "webhooks:write",
        },
        {
          label: "Check a signature of this webhook",
          href: routes.webhooks.check(id),
          scope: "webhooks:read",
        },
      ];
    default:
      return [];
  }
}

/** True if each word of the query starts a word of the label. */
export function isCalled(label: string, query: string): boolean {
  const words = label.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}
