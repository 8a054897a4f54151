/** How many connections to the platform's database each part of a process opens at most. */
export const CONNECTIONS = {
  /** Admission and recording, which every request needs and which must not wait behind handlers. */
  admission: 2,
  /** What handlers send: behind a statement that waits for its commit, others of its connection wait too. */
  handlers: 4,
  transactions: 2,
  /** What `/health` asks. */
  health: 1,
  /** The lock that says "this process lives". */
  liveness: 1,
  /** The scheduled jobs: two of them wait for work and fetch it. */
  jobs: 6,
  /** What jobs send themselves, which may take longer than a call. */
  jobStatements: 1,
  jobTransactions: 1,
  /** The lock on the embedded chains, in the sandbox. */
  chains: 1,
  /** What receives changes, for the pages that are open. */
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
  /** What `/metrics` reads, where METRICS_PORT is set. */
  metrics: 1,
  /** To DATABASE_REPLICA_URL, which has connections of its own. */
  replica: 2,
  /** The lock by which one relayer of all works. */
  relayer: 1,
} as const;

/** What a process of this role opens at most, and whether it serves metrics. */
export function connectionsOf(role: "web" | "worker" | "relayer" | "all", measured: boolean): number {
  const {
    admission,
    handlers,
    transactions,
    liveness,
    health,
    chains,
    changes,
    metrics,
    replica,
    relayer,
    ...work
  } = CONNECTIONS;
  const own = admission + handlers + transactions + liveness + chains + (measured ? metrics : 0);
  if (role === "web") return own + health + changes;
  if (role === "relayer") return own + relayer;
  const worker = Object.values(work).reduce((sum, count) => sum + count, own);
  return role === "worker" ? worker : worker + health + changes + relayer;
}
