/** A file system that did not answer in time, or that is busy with too much. */
export class SilentFiles extends Error {
  constructor() {
    super("The file system does not answer.");
    this.name = "SilentFiles";
  }
}

/** How many may be under way: half of the threads that Node makes. */
const MOST = 2;
/** A call's answer does not wait for a file system that is silent for longer. */
const ANSWER_MS = 2500;
/** How long a file system that was silent is waited for before anything else is asked of it. */
const AGAIN_MS = 500;

interface Waiting {
  begin(): void;
  refuse(): void;
  /** Waits however long it takes. */
  patient: boolean;
}

interface Bounds<Result> {
  /** How long it may take, where it has more to do than usual. */
  ms?: number;
  /** Undoes what it has done after nobody waited for it any more. */
  undo?(result: Result): unknown;
}

/**
 * Makes calls of one file system with at most half of the process's threads, since a call that hangs keeps its thread: name
 * resolution and cryptography have the other half. A call is refused in time, and at once while the file system is known not to answer `probe`.
 */
export function createFileCalls(probe: () => Promise<unknown>) {
  const waiting = new Set<Waiting>();
  let underWay = 0;
  let silent = false;
  let probing: Promise<void> | undefined;

  /** Takes a place among the calls that are under way. */
  async function takePlace(patient = false): Promise<void> {
    if (underWay < MOST) {
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

  /** Makes a call that has its place, which goes to the next once it has answered, whatever it says. */
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

  /** Waits for a silent file system to answer one call, which all share. */
  async function askAgain(): Promise<void> {
    if (!probing) {
      if (underWay >= MOST) throw new SilentFiles();
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
    /** Makes a call. One that hangs counts as under way until it ends after all. */
    async call<Result>(
      work: () => Promise<Result>,
      { ms = ANSWER_MS, undo }: Bounds<Result> = {},
    ): Promise<Result> {
      if (silent) await askAgain();
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

    /** Makes a call once there is a place for it, which nobody waits for. */
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
    // An answer that came while this process itself was late is taken first.
    timer = setTimeout(() => setImmediate(() => reject(new SilentFiles())), ms);
  });
  return Promise.race([work, silence]).finally(() => clearTimeout(timer));
}
