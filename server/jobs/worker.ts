import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Runner, run, type Task, type TaskList, type WorkerEvents } from "graphile-worker";
import pg from "pg";
import { backoff } from "#db/connect.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { holdLiveness, type Liveness } from "#server/liveness.ts";
import { log } from "../log.ts";
import { span, telemetry } from "../telemetry.ts";
import { jobsLogger } from "./logger.ts";

export interface WorkerOptions {
  /** A direct address, past any transaction pooler: the worker listens and holds a lock. */
  url: string;
  /** The name under which the process works; by default one of the worker's own. */
  liveness?: Liveness;
  tasks: TaskList;
  /** Lines of a crontab, in UTC. */
  crontab?: string;
  concurrency?: number;
}

/** Answers of the database itself, its end aside. */
const ANSWERED = /^(?!57P)[0-9A-Z]{5}$/;

/**
 * The library soon tries again what has failed with this code; else a job that has ended stays locked while the process
 * lives. With those of lost connections it would wait for seconds to minutes.
 */
const AGAIN = "40001";

function triedAgain(error: Error & { code?: string }): never {
  throw ANSWERED.test(error.code ?? "") ? error : Object.assign(error, { code: AGAIN });
}

/** A promise that nothing settles. */
const NEVER = new Promise<never>(() => undefined);

type Connected = Parameters<pg.Pool["connect"]>[0];

/** How long a worker that stops looks for a database that is away, to record which of its jobs have ended. */
const STOP_MS = 5000;

/** The stop of a worker, which it gives up where the database stays away: what it has not recorded runs again. */
class WorkerStop {
  readonly #running: ReadonlyMap<string, number>;
  #from = Number.POSITIVE_INFINITY;
  readonly #over = Promise.withResolvers<void>();

  /** `running` are the jobs under way. */
  constructor(running: ReadonlyMap<string, number>) {
    this.#running = running;
  }

  /** Fulfilled when it is given up. */
  begin(): Promise<void> {
    this.#from = Date.now();
    return this.#over.promise;
  }

  isOver(): boolean {
    if (this.#running.size > 0) this.#from = Math.max(this.#from, Date.now());
    return Date.now() > this.#from + STOP_MS;
  }

  giveUp(): Promise<never> {
    this.#over.resolve();
    return NEVER;
  }
}

/** Connects as soon as the database is there, where the library would let up to two minutes pass between attempts. */
class PatientPool extends pg.Pool {
  readonly #stop: WorkerStop;

  constructor(config: pg.PoolConfig, stop: WorkerStop) {
    super(config);
    this.#stop = stop;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected) {
    const connecting = this.#connectPatiently();
    if (!callback) return connecting;
    void connecting.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error) => callback(error, undefined, () => undefined),
    );
  }

  async #connectPatiently(): Promise<pg.PoolClient> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await super.connect();
      } catch (error) {
        // What the library still wants is to record the end of jobs: it tries that long, or leaves a rejection unhandled.
        if (this.ending || this.#stop.isOver()) return this.#stop.giveUp();
        if (attempt === 0) log.warn("The worker can't reach the database; it is tried again.", { error });
        await sleep(1000 * backoff(attempt), undefined, { ref: false });
      }
    }
  }
}

/**
 * The connections that the library works by. Those of a pool of its own nobody listens to from the moment it stops: one
 * that the database ends before it is closed would end the process.
 */
function openConnections(connectionString: string, max: number, stop: WorkerStop): pg.Pool {
  // Who waits behind other jobs for a connection waits under this bound too.
  const config = { connectionString, max, keepAlive: true, connectionTimeoutMillis: 20_000 };
  const pool = new PatientPool(config, stop);
  const note = (error: Error) => log.warn("The worker has lost a connection.", { error });
  return pool.on("error", note).on("connect", (client) => {
    client.on("error", note);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const patient = (...args: unknown[]) => {
      const answer = query(...args);
      return answer instanceof Promise ? answer.catch(triedAgain) : answer;
    };
    Object.assign(client, { query: patient });
  });
}

/** A task whose jobs are followed by traces. */
function traced([name, task]: [string, TaskList[string]]): [string, Task] {
  const followed: Task = (payload, helpers) =>
    span(
      `job ${name}`,
      () => ({
        attributes: { "platform.job.id": helpers.job.id, "platform.job.attempt": helpers.job.attempts },
      }),
      async () => task?.(payload, helpers),
    );
  return [name, followed];
}

/** Works on durable jobs until it is stopped, through every failure of the database. */
export async function startWorker(options: WorkerOptions) {
  const { url, tasks, crontab = "", concurrency = CONNECTIONS.jobs - 2 } = options;
  const liveness = options.liveness ?? (await holdLiveness(url));
  const started = new Map<string, number>();
  const stop = new WorkerStop(started);
  const events: WorkerEvents = new EventEmitter();
  // Jobs are locked in the name of the pool; it is the name whose lock says that we live.
  events.on("pool:create", ({ workerPool }) => Object.assign(workerPool, { id: liveness.name }));
  events.on("job:start", ({ job }) => started.set(job.id, performance.now()));
  events.on("job:complete", ({ job, error }) => {
    const ms = performance.now() - (started.get(job.id) ?? Number.NaN);
    started.delete(job.id);
    telemetry.metrics?.jobEnded(job.task_identifier, error ? "failed" : "succeeded", ms);
  });
  let runner: Runner | undefined;
  let stopping = false;

  async function start() {
    const pgPool = openConnections(url, concurrency + 2, stop);
    try {
      runner = await run({
        pgPool,
        taskList: Object.fromEntries(Object.entries(tasks).map(traced)),
        crontab,
        concurrency,
        events,
        logger: jobsLogger,
        noHandleSignals: true,
        pollInterval: 1000,
      });
    } catch (error) {
      await pgPool.end();
      throw error;
    }
    void runner.promise.catch(() => undefined).then(() => pgPool.end());
    return runner;
  }

  /** The library gives up after ten failed attempts to fetch a job, which a stopped database soon causes. */
  async function supervise(first: Runner) {
    let current: Runner | undefined = first;
    for (let failures = 0; !stopping; failures = current ? 0 : failures + 1) {
      await current?.promise.catch((error) =>
        log.error("The worker stopped and is started again.", { error }),
      );
      if (stopping) return;
      await sleep(Math.min(250 * 2 ** failures, 1000), undefined, { ref: false });
      current = await start().catch((error) => {
        log.error("The worker did not start again.", { error });
        return undefined;
      });
    }
  }

  // The library refuses to look for jobs where there is nothing that it could do.
  if (Object.keys(tasks).length > 0) void supervise(await start());

  return {
    workerId: liveness.name,
    /** Lets the jobs under way finish, and leaves what can't be recorded of them. */
    async stop() {
      stopping = true;
      const stopped = runner
        ?.stop()
        .catch((error) => log.warn("The worker did not stop cleanly.", { error }));
      await Promise.race([stopped, stop.begin()]);
      if (!options.liveness) await liveness.release();
    },
  };
}
