type Search = Record<string, string | undefined>;

function withSearch(path: string, search: Search = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value) params.set(name, value);
  return params.size > 0 ? `${path}?${params}` : path;
}

/** Returns the paths of a resource: its list, its form for a new one, and the page of each item. */
function resource(path: string) {
  return {
    list: (search?: Search) => withSearch(path, search),
    create: (search?: Search) => withSearch(`${path}/new`, search),
    read: (id: string) => `${path}/${encodeURIComponent(id)}`,
  };
}

/** Builds every path of the console: `routes.projects.read(project.id)`. */
export const routes = {
  overview: () => "/",
  /** The forms of the first steps, which open over the overview. */
  start: { project: () => "/start/project", key: () => "/start/key" },
  signIn: (search?: { next?: string | undefined }) => withSearch("/sign-in", search),
  signUp: (search?: { next?: string | undefined }) => withSearch("/sign-up", search),
  forgotPassword: () => "/forgot-password",
  device: (search?: { code?: string }) => withSearch("/device", search),
  consent: (request: string) => withSearch("/oauth/consent", { request }),
  invitation: (token: string) => `/invitation/${encodeURIComponent(token)}`,
  installation: () => "/installation",
  security: () => "/security",
  password: () => "/security/password",
  secondFactor: () => "/security/second-factor",

  projects: {
    ...resource("/projects"),
    /** The project's page with the project chosen: every page below it then shows this project only. */
    choose: (id: string) => withSearch(`/projects/${encodeURIComponent(id)}`, { projectId: id }),
    edit: (id: string) => `/projects/${encodeURIComponent(id)}/edit`,
    createKey: (id: string) => `/projects/${encodeURIComponent(id)}/new-key`,
  },
  apiKeys: {
    ...resource("/api-keys"),
    createBelow: (id: string) => `/api-keys/${encodeURIComponent(id)}/new`,
    rotate: (id: string) => `/api-keys/${encodeURIComponent(id)}/rotate`,
    compare: (id: string, search?: { with?: string }) =>
      withSearch(`/api-keys/${encodeURIComponent(id)}/compare`, search),
    apps: (search?: Search) => withSearch("/api-keys/apps", search),
    explain: (search?: { key?: string; operation?: string }) => withSearch("/api-keys/access", search),
  },
  endUsers: resource("/end-users"),
  usage: (search?: Search) => withSearch("/usage", search),
  audit: (search?: Search) => withSearch("/audit", search),
  auditEvent: (id: string) => `/audit/${encodeURIComponent(id)}`,
  files: resource("/files"),
  memories: {
    ...resource("/memories"),
    edit: (id: string) => `/memories/${encodeURIComponent(id)}/edit`,
  },
  connections: {
    ...resource("/connections"),
    edit: (id: string) => `/connections/${encodeURIComponent(id)}/edit`,
    rotate: (id: string) => `/connections/${encodeURIComponent(id)}/rotate`,
  },
  database: {
    tables: () => "/database",
    table: (name: string, search?: Search) =>
      withSearch(`/database/tables/${encodeURIComponent(name)}`, search),
    importCsv: (name: string) => `/database/tables/${encodeURIComponent(name)}/import`,
    insert: (name: string) => `/database/tables/${encodeURIComponent(name)}/new`,
    sql: () => "/database/sql",
    copies: (search?: Search) => withSearch("/database/copies", search),
  },
  wallets: {
    ...resource("/wallets"),
    /** The wallet's page with its payments to one address only. */
    paymentsTo: (id: string, to: string) =>
      withSearch(`/wallets/${encodeURIComponent(id)}`, { search: to, direction: "out" }),
    policy: (id: string) => `/wallets/${encodeURIComponent(id)}/policy`,
    send: (id: string) => `/wallets/${encodeURIComponent(id)}/send`,
    sign: (id: string) => `/wallets/${encodeURIComponent(id)}/sign`,
    transaction: (id: string, transactionId: string) =>
      `/wallets/${encodeURIComponent(id)}/transactions/${encodeURIComponent(transactionId)}`,
  },
  contacts: resource("/wallets/contacts"),
  swaps: resource("/swaps"),
  trading: resource("/trading"),
  runs: {
    ...resource("/runs"),
    retry: (id: string, step: string) => withSearch(`/runs/${encodeURIComponent(id)}`, { retry: step }),
    bulk: (action: "cancel" | "retry" | "forget", filters: Search) =>
      withSearch("/runs/bulk", { action, ...filters }),
  },
  workflows: {
    ...resource("/workflows"),
    stored: (search?: Search) => withSearch("/workflows/stored", search),
    storedOne: (id: string, search?: Search) =>
      withSearch(`/workflows/stored/${encodeURIComponent(id)}`, search),
  },
  triggers: {
    ...resource("/triggers"),
    calendar: () => "/triggers/calendar",
    edit: (id: string) => `/triggers/${encodeURIComponent(id)}/edit`,
    backfill: (id: string) => `/triggers/${encodeURIComponent(id)}/backfill`,
  },
  agents: resource("/agents"),
  artifacts: resource("/artifacts"),
  approvals: resource("/approvals"),
  webhooks: {
    ...resource("/webhooks"),
    edit: (id: string) => `/webhooks/${encodeURIComponent(id)}/edit`,
    rotate: (id: string) => `/webhooks/${encodeURIComponent(id)}/rotate`,
    recover: (id: string) => `/webhooks/${encodeURIComponent(id)}/recover`,
    check: (id: string) => `/webhooks/${encodeURIComponent(id)}/check`,
    delivery: (id: string, deliveryId: string) =>
      `/webhooks/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}`,
  },
  credits: (search?: Search) => withSearch("/credits", search),
  creditsBuy: () => "/credits/buy",
  creditsAlert: () => "/credits/alert",
  services: {
    ...resource("/services"),
    operation: (id: string, operationId: string, search?: Search) =>
      withSearch(`/services/${encodeURIComponent(id)}/${encodeURIComponent(operationId)}`, search),
  },
  members: {
    ...resource("/members"),
    invitations: (search?: Search) => withSearch("/members/invitations", search),
    role: (id: string) => `/members/${encodeURIComponent(id)}/role`,
  },

  docs: () => "/docs",
  docsGuide: (name: string) => `/docs/${name}`,
  docsOperation: (operationId: string) => `/docs/${operationId}`,
  docsError: (code: string) => `/docs/errors/${code}`,
};

/** An entry of the navigation; `key` opens it after `g`. */
export type Place = { label: string; path: string; key: string };

/** The navigation, in its order and groups. */
export const places: Place[][] = [
  [
    { label: "Overview", path: routes.overview(), key: "o" },
    { label: "Projects", path: routes.projects.list(), key: "p" },
    { label: "API keys", path: routes.apiKeys.list(), key: "k" },
    { label: "End users", path: routes.endUsers.list(), key: "x" },
    { label: "Usage", path: routes.usage(), key: "u" },
    { label: "Audit", path: routes.audit(), key: "a" },
  ],
  [
    { label: "Files", path: routes.files.list(), key: "f" },
    { label: "Memories", path: routes.memories.list(), key: "y" },
    { label: "Connections", path: routes.connections.list(), key: "c" },
    { label: "Database", path: routes.database.tables(), key: "d" },
  ],
  [
    { label: "Wallets", path: routes.wallets.list(), key: "w" },
    { label: "Swaps", path: routes.swaps.list(), key: "s" },
    { label: "Trading", path: routes.trading.list(), key: "t" },
  ],
  [
    { label: "Runs", path: routes.runs.list(), key: "r" },
    { label: "Workflows", path: routes.workflows.list(), key: "l" },
    { label: "Triggers", path: routes.triggers.list(), key: "n" },
    { label: "Agents", path: routes.agents.list(), key: "g" },
    { label: "Artifacts", path: routes.artifacts.list(), key: "i" },
    { label: "Approvals", path: routes.approvals.list(), key: "v" },
  ],
  [
    { label: "Webhooks", path: routes.webhooks.list(), key: "h" },
    { label: "Credits", path: routes.credits(), key: "b" },
    { label: "Services", path: routes.services.list(), key: "e" },
    { label: "Members", path: routes.members.list(), key: "m" },
  ],
];

/** True if `pathname` is `place` or lies below it. */
export function isAt(place: Place, pathname: string): boolean {
  return pathname === place.path || (place.path !== "/" && pathname.startsWith(`${place.path}/`));
}
