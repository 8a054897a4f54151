import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Runner, run, type Task, type TaskList, type WorkerEvents } from "graphile-worker";
import pg from "pg";
import { backoff } from "#db/connect.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { backoffMs } from "#server/base/backoff.ts";
import { holdLiveness, type Liveness } from "#server/base/liveness.ts";
import { log } from "../base/log.ts";
import { span, telemetry } from "../base/telemetry.ts";
import { jobsLogger } from "./logger.ts";

export interface WorkerOptions {
  /** A direct address that bypasses any transaction pooler: the worker listens for notifications and holds a lock. */
  url: string;
  /** The liveness lock under whose name the process works; by default the worker creates its own. */
  liveness?: Liveness;
  tasks: TaskList;
  /** Lines of a crontab, in UTC. */
  crontab?: string;
  concurrency?: number;
}

/** SQLSTATEs of the database's own errors, except shutdown. */
const ANSWERED = /^(?!57P)[0-9A-Z]{5}$/;

/**
 * The library retries a failure with this code soon. With the codes of lost connections it would wait for seconds to
 * minutes, and an ended job would stay locked while the process lives.
 */
const AGAIN = "40001";

function triedAgain(error: Error & { code?: string }): never {
  throw ANSWERED.test(error.code ?? "") ? error : Object.assign(error, { code: AGAIN });
}

/** A promise that is never settled. */
const NEVER = new Promise<never>(() => undefined);

type Connected = Parameters<pg.Pool["connect"]>[0];

/** How long a stopping worker waits for an unreachable database to record which of its jobs have ended. */
const STOP_MS = 5000;

/**
 * The stop of a worker. It is abandoned if the database stays unreachable; jobs whose end was not recorded run again.
 */
class WorkerStop {
  readonly #running: ReadonlyMap<string, number>;
  #from = Number.POSITIVE_INFINITY;
  readonly #over = Promise.withResolvers<void>();

  /** `running` holds the running jobs. */
  constructor(running: ReadonlyMap<string, number>) {
    this.#running = running;
  }

  /** Begins the stop; resolves when the stop is abandoned. */
  begin(): Promise<void> {
    this.#from = performance.now();
    return this.#over.promise;
  }

  isOver(): boolean {
    if (this.#running.size > 0) this.#from = Math.max(this.#from, performance.now());
    return performance.now() > this.#from + STOP_MS;
  }

  giveUp(): Promise<never> {
    this.#over.resolve();
    return NEVER;
  }
}

/** Reconnects as soon as the database is reachable; the library would wait up to two minutes between attempts. */
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
        return releasedOnce(await super.connect());
      } catch (error) {
        // During the stop, the library only records the end of jobs. It retries for this long, or leaves an unhandled
        // rejection.
        if (this.ending || this.#stop.isOver()) return this.#stop.giveUp();
        if (attempt === 0) log.warn("The worker can't reach the database; it is tried again.", { error });
        await sleep(1000 * backoff(attempt), undefined, { ref: false });
      }
    }
  }
}

/**
 * Returns the client, which may be released twice: the library does so with a connection that it lost as it stops, and the
 * second time would throw where nobody catches it.
 */
function releasedOnce(client: pg.PoolClient): pg.PoolClient {
  const release = client.release.bind(client);
  let released = false;
  client.release = (error) => {
    if (!released) release(error);
    released = true;
  };
  return client;
}

/**
 * Opens the library's connections. A pool of the library's own has no error listener once it stops, so a connection
 * that the database ends before it is closed would crash the process.
 */
function openConnections(connectionString: string, max: number, stop: WorkerStop): pg.Pool {
  // The timeout also bounds the wait for a connection behind other jobs.
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

/** Returns a task whose jobs are traced. */
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

/** Runs durable jobs until it is stopped, through every failure of the database. */
export async function startWorker(options: WorkerOptions) {
  const { url, tasks, crontab = "", concurrency = CONNECTIONS.jobs - 2 } = options;
  const liveness = options.liveness ?? (await holdLiveness(url));
  const started = new Map<string, number>();
  const stop = new WorkerStop(started);
  const events: WorkerEvents = new EventEmitter();
  // Jobs are locked under the pool's name, which must be the name whose lock proves that this process lives.
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

  /**
   * Restarts the library, which gives up after ten failed attempts to fetch a job; a stopped database soon causes
   * these.
   */
  async function supervise(first: Runner) {
    let current: Runner | undefined = first;
    for (let failures = 0; !stopping; failures = current ? 0 : failures + 1) {
      await current?.promise.catch((error) =>
        log.error("The worker stopped and is started again.", { error }),
      );
      if (stopping) return;
      await sleep(backoffMs(failures, 250, 1000), undefined, { ref: false });
      current = await start().catch((error) => {
        log.error("The worker did not start again.", { error });
        return undefined;
      });
    }
  }

  // The library refuses to look for jobs if it has no tasks.
  if (Object.keys(tasks).length > 0) void supervise(await start());

  return {
    workerId: liveness.name,
    /** Waits for running jobs, and abandons those whose end cannot be recorded. */
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
