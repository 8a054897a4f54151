/** An operation in the generated table. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query?: readonly string[];
  readonly body?: true;
  /** The headers for fields of the input, for bodies of raw bytes. */
  readonly upload?: Readonly<Record<string, string>>;
  readonly download?: true;
  readonly stream?: true;
  readonly idempotent?: true;
  /** The response's only field, which callers get directly. */
  readonly field?: string;
  readonly pages?: true;
}

/** The options of one call, beside its input. */
export interface CallOptions {
  /** Your own key, 8 to 200 of `A–Z a–z 0–9 : . _ -`; by default a new one for each call. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** The timeout of one attempt. */
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** The project to act in, for a key that is not bound to one. */
  project?: string | undefined;
  /** The end user to act for. */
  endUser?: string | undefined;
  /** Replaces the API key, for the first key of an account. */
  creditToken?: string | undefined;
}

/** The remainder of a limit that governed a call. */
export interface RateLimit {
  /** The limit's selector. */
  operation: string;
  remaining: number;
  /** The seconds until some of it is available again; null for limits of concurrency. */
  resetSeconds: number | null;
}

/** A response's data and the values of its headers. */
export interface Answer<T> {
  data: T;
  status: number;
  requestId: string | null;
  /** True if it is the stored response of an earlier call with the same idempotency key. */
  replayed: boolean;
  /** The exact charge; null if the operation reports none. */
  chargedCredits: number | null;
  limits: RateLimit[];
  headers: Headers;
}

/** A running call: await it for its data, or `withResponse()` for its headers too. */
export interface Call<T> extends Promise<T> {
  withResponse(): Promise<Answer<T>>;
}

/** How many items a list has; with `more`, it has more than that. */
export interface Total {
  readonly count: number;
  readonly more: boolean;
}

/** One page of a list. */
export interface Page<T> extends AsyncIterable<T> {
  readonly items: T[];
  readonly nextCursor: string | null;
  /** The number of items of all pages, if `total: "include"` was requested; null otherwise. */
  readonly total: Total | null;
  /** Returns the next page; null at the end. */
  next(): Promise<Page<T> | null>;
}

/** A list: await it for its first page, or iterate over all items of all pages. */
export interface List<T> extends Call<Page<T>>, AsyncIterable<T> {}

/** Returns the call for a pending response. */
export function callOf<T>(answer: Promise<Answer<T>>): Call<T> {
  const data = answer.then((one) => one.data);
  return Object.assign(data, {
    withResponse() {
      // A caller that awaits `withResponse()` must not also get an unhandled rejection from `data`.
      data.catch(() => {});
      return answer;
    },
  });
}

/** Returns a page's response; `load` reads the following pages. */
export function pageOf<T>(
  items: T[],
  { nextCursor, total = null }: { nextCursor: string | null; total?: Total | null },
  load: (cursor: string) => Promise<Page<T>>,
): Page<T> {
  return {
    items,
    nextCursor,
    total,
    next: async () => (nextCursor === null ? null : load(nextCursor)),
    async *[Symbol.asyncIterator]() {
      for (let page: Page<T> | null = this; page; page = await page.next()) yield* page.items;
    },
  };
}

export function listOf<T>(answer: Promise<Answer<Page<T>>>): List<T> {
  const call = callOf(answer);
  return Object.assign(call, {
    async *[Symbol.asyncIterator]() {
      yield* await call;
    },
  });
}

/** Parses `"projects.list";r=59;t=12`. */
export function limitsOf(header: string | null): RateLimit[] {
  return [...(header ?? "").matchAll(/"([^"]+)";r=(\d+)(?:;t=(\d+))?/g)].map(
    ([, operation = "", left, reset]) => ({
      operation,
      remaining: Number(left),
      resetSeconds: reset === undefined ? null : Number(reset),
    }),
  );
}
