/** The file system did not answer in time, or is overloaded. */
class SilentFiles extends Error {
  constructor() {
    super("The file system does not answer.");
    this.name = "SilentFiles";
  }
}

/** The maximum number of running calls: half of Node's threads. */
const MAX_CALLS = 2;
/** The time limit of a call. */
const ANSWER_MS = 2500;
/** How long a call waits for a probe of a silent file system. */
const AGAIN_MS = 500;

interface Waiting {
  begin(): void;
  refuse(): void;
  /** True if it waits without a time limit. */
  patient: boolean;
}

interface Bounds<Result> {
  /** The time limit, if the call has more to do than usual. */
  ms?: number;
  /** Undoes its effect if it finishes after its time limit. */
  undo?(result: Result): unknown;
}

/**
 * Limits the calls of one file system to half of the process's threads, since a hanging call keeps its thread; name
 * resolution and cryptography have the other half. A call fails at its time limit, and at once while the file system
 * does not answer `probe`.
 */
export function createFileCalls(probe: () => Promise<unknown>) {
  const waiting = new Set<Waiting>();
  let underWay = 0;
  let silent = false;
  let probing: Promise<void> | undefined;

  /** Takes a place among the running calls. */
  async function takePlace(patient = false): Promise<void> {
    if (underWay < MAX_CALLS) {
      underWay += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry: Waiting = {
      begin: resolve,
      refuse() {
        waiting.delete(entry);
        reject(new SilentFiles());
      },
      patient,
    };
    waiting.add(entry);
    const timer = patient ? undefined : setTimeout(entry.refuse, ANSWER_MS);
    await promise.finally(() => clearTimeout(timer));
  }

  /** Makes a call that has its place; passes the place on when the call has ended. */
  async function make<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } finally {
      silent = false;
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next.begin();
      } else underWay -= 1;
    }
  }

  function fallSilent() {
    silent = true;
    for (const entry of waiting) if (!entry.patient) entry.refuse();
  }

  /** Waits for a silent file system to answer one probe, which all callers share. */
  async function probeAgain(): Promise<void> {
    if (!probing) {
      if (underWay >= MAX_CALLS) throw new SilentFiles();
      underWay += 1;
      const asked = make(probe).then(
        () => undefined,
        () => undefined,
      );
      probing = asked.finally(() => {
        probing = undefined;
      });
    }
    await within(AGAIN_MS, probing);
  }

  return {
    /** Makes a call. A hanging call keeps its place until it ends. */
    async call<Result>(
      work: () => Promise<Result>,
      { ms = ANSWER_MS, undo }: Bounds<Result> = {},
    ): Promise<Result> {
      if (silent) await probeAgain();
      await takePlace();
      const made = make(work);
      return within(ms, made).catch((reason) => {
        if (reason instanceof SilentFiles) {
          fallSilent();
          if (undo) void made.then(undo).catch(() => undefined);
        }
        throw reason;
      });
    },

    /** Makes a call that nobody waits for, once there is a place. */
    later(work: () => Promise<unknown>): void {
      void takePlace(true)
        .then(() => make(work))
        .catch(() => undefined);
    },
  };
}

export type FileCalls = ReturnType<typeof createFileCalls>;

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    // If this process itself was late, an answer that has arrived wins.
    timer = setTimeout(() => setImmediate(() => reject(new SilentFiles())), ms);
  });
  return Promise.race([work, silence]).finally(() => clearTimeout(timer));
}
