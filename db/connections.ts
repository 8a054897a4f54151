/** The maximum number of connections that each part of a process opens to the platform's database. */
export const CONNECTIONS = {
  /** Admission and recording, which every request needs and which must not wait behind handlers. */
  admission: 2,
  /** Statements of handlers; a statement that waits for its commit also delays others on its connection. */
  handlers: 4,
  transactions: 3,
  /** The checks of `/health`. */
  health: 1,
  /** The liveness lock. */
  liveness: 1,
  /** The scheduled jobs: two of them wait for work and fetch it. */
  jobs: 6,
  /** Statements of jobs, which may take longer than those of a call. */
  jobStatements: 1,
  jobTransactions: 1,
  /** The lock on the embedded chains, in the sandbox. */
  chains: 1,
  /** Builds missing indexes, and sees for whom the build waits; they are closed when no index is missing. */
  indexes: 2,
  /** Receives changes for open pages. */
  changes: 1,
  sealer: 1,
  runs: 2,
  runTransactions: 2,
  runWakeUps: 1,
  triggers: 1,
  triggerTransactions: 1,
  sends: 3,
  sendTransactions: 3,
  sendWakeUps: 1,
  deposits: 1,
  depositTransactions: 1,
  webhookRelay: 1,
  webhookWakeUps: 1,
  webhookDeliverer: 2,
  /** The queries of `/metrics`, if METRICS_PORT is set. */
  metrics: 1,
  /** The queries of the operators' page, while it is open. */
  operators: 1,
  /** Connections to DATABASE_REPLICA_URL, counted separately. */
  replica: 2,
  /** The lock by which only one relayer works at a time. */
  relayer: 1,
} as const;

/** Returns the maximum number of connections of a process with this role, with or without metrics. */
export function connectionsOf(role: "web" | "worker" | "relayer" | "all", measured: boolean): number {
  const {
    admission,
    handlers,
    transactions,
    liveness,
    health,
    chains,
    indexes,
    changes,
    metrics,
    operators,
    replica,
    relayer,
    ...work
  } = CONNECTIONS;
  const own = admission + handlers + transactions + liveness + chains + indexes + (measured ? metrics : 0);
  const web = health + changes + operators;
  if (role === "web") return own + web;
  if (role === "relayer") return own + relayer;
  const worker = Object.values(work).reduce((sum, count) => sum + count, own);
  return role === "worker" ? worker : worker + web + relayer;
}
