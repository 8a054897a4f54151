/** What the generated table says of an operation. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query?: readonly string[];
  readonly body?: true;
  /** Headers by the fields of the input, for bodies of bytes. */
  readonly upload?: Readonly<Record<string, string>>;
  readonly download?: true;
  readonly stream?: true;
  readonly idempotent?: true;
  /** The one field of its answers, which callers get. */
  readonly field?: string;
  readonly pages?: true;
}

/** What may be said of one call, beside its input. */
export interface CallOptions {
  /** Yours, 8 to 200 of `A–Z a–z 0–9 : . _ -`; by default a new one for each call. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** How long one attempt may take. */
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** The project to act in, for a key that is not bound to one. */
  project?: string | undefined;
  /** The one of your users to act for. */
  endUser?: string | undefined;
  /** Instead of the API key, for the first key of an account. */
  creditToken?: string | undefined;
}

/** What is left of a limit that governed a call. */
export interface RateLimit {
  /** The selector. */
  operation: string;
  remaining: number;
  /** When some of it comes back; null for limits of concurrency. */
  resetSeconds: number | null;
}

/** An answer with what its headers say. */
export interface Answer<T> {
  data: T;
  status: number;
  requestId: string | null;
  /** Whether it is the stored answer of an earlier call with the same idempotency key. */
  replayed: boolean;
  /** The exact charge; null where the operation reports none. */
  chargedCredits: number | null;
  limits: RateLimit[];
  headers: Headers;
}

/** A call under way: await it for its data, or `withResponse()` for its headers too. */
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
  /** How many items all pages have, where `total: "include"` was asked for; null otherwise. */
  readonly total: Total | null;
  /** The page after this one; null at the end. */
  next(): Promise<Page<T> | null>;
}

/** A list: await it for its first page, or iterate it for every item of every page. */
export interface List<T> extends Call<Page<T>>, AsyncIterable<T> {}

/** Makes a call of an answer that is on its way. */
export function callOf<T>(answer: Promise<Answer<T>>): Call<T> {
  const data = answer.then((one) => one.data);
  return Object.assign(data, {
    withResponse() {
      // Who waits for the answer isn't also told of its failure by `data`.
      data.catch(() => {});
      return answer;
    },
  });
}

/** The answer of a page, with `load` for the pages after it. */
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

/** `"projects.list";r=59;t=12` as objects. */
export function limitsOf(header: string | null): RateLimit[] {
  return [...(header ?? "").matchAll(/"([^"]+)";r=(\d+)(?:;t=(\d+))?/g)].map(
    ([, operation = "", left, reset]) => ({
      operation,
      remaining: Number(left),
      resetSeconds: reset === undefined ? null : Number(reset),
    }),
  );
}
