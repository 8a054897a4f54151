import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Runner, run, type TaskList, type WorkerEvents } from "graphile-worker";
import pg from "pg";
import { CONNECTIONS } from "#db/connections.ts";
import { holdLiveness, type Liveness } from "#server/liveness.ts";
import { log } from "../log.ts";
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

/** The library tries again what has failed with this code; else a job that has ended stays locked while the process lives. */
const AGAIN = "ETIMEDOUT";

function triedAgain(error: Error & { code?: string }): never {
  throw ANSWERED.test(error.code ?? "") ? error : Object.assign(error, { code: AGAIN });
}

class PatientPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool["connect"]>[0]): void;
  override connect(callback?: Parameters<pg.Pool["connect"]>[0]) {
    return callback ? super.connect(callback) : super.connect().catch(triedAgain);
  }
}

/**
 * The connections that the library works by. Those of a pool of its own nobody listens to from the moment it stops: one
 * that the database ends before it is closed would end the process.
 */
function openConnections(connectionString: string, max: number): pg.Pool {
  // Who waits behind other jobs for a connection waits under this bound too.
  const pool = new PatientPool({ connectionString, max, keepAlive: true, connectionTimeoutMillis: 20_000 });
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

/** Works on durable jobs until it is stopped, through every failure of the database. */
export async function startWorker(options: WorkerOptions) {
  const { url, tasks, crontab = "", concurrency = CONNECTIONS.jobs - 2 } = options;
  const liveness = options.liveness ?? (await holdLiveness(url));
  const events: WorkerEvents = new EventEmitter();
  // Jobs are locked in the name of the pool; it is the name whose lock says that we live.
  events.on("pool:create", ({ workerPool }) => Object.assign(workerPool, { id: liveness.name }));
  let runner: Runner | undefined;
  let stopping = false;

  async function start() {
    const pgPool = openConnections(url, concurrency + 2);
    try {
      runner = await run({
        pgPool,
        taskList: tasks,
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
    /** Lets the jobs under way finish. */
    async stop() {
      stopping = true;
      await runner?.stop().catch((error) => log.warn("The worker did not stop cleanly.", { error }));
      if (!options.liveness) await liveness.release();
    },
  };
}
