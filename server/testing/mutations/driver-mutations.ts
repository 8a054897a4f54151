import type { Change, Mutation, Proof } from "./mutation.ts";

export const DRIVER_TESTS = "db/driver.test.ts";

const test = (named: string): Proof => ({ by: "tests", file: DRIVER_TESTS, named });
const inPool = (before: string, after: string): Change => ({ file: "db/driver-patches.mjs", before, after });
const inConnection = (before: string, after: string): Change => ({
  file: "db/connection-patches.mjs",
  before,
  after,
});

/** Later queries of a transaction do not learn that its connection is lost. */
const GOES_ON = inPool(
  `        new Promise((_, reject) => connection.onclose = e => {
          reject(lost = e)
          while (queries.length)
            queries.shift().reject(e)
        })
`,
  "        new Promise((_, reject) => connection.onclose = reject)\n",
);

/** Faults that postgres.js has as shipped: each mutation reverts the patch of one of them. */
export const DRIVER_MUTATIONS: readonly Mutation[] = [
  {
    name: "a lost transaction that goes on inside the next one",
    changes: [GOES_ON],
    proof: test("ends a transaction whose connection is lost"),
  },
  {
    name: "answers that go to the next query after a cancellation",
    changes: [
      inPool(
        `        ? resolve()
        : (`,
        `        ? query.active
          ? Connection(options).cancel(query.state, resolve, reject)
          : query.cancelled = { resolve, reject }
        : (`,
      ),
      inConnection(
        "    sent.length && ((query = sent.shift()).active = true)\n",
        `    while (sent.length && (query = sent.shift()) && (query.active = true, query.cancelled))
      Connection(options).cancel(query.state, query.cancelled.resolve, query.cancelled.reject)
`,
      ),
    ],
    proof: test("answers every query with its own rows"),
  },
  {
    name: "a write to a closed connection that ends the process",
    changes: [
      GOES_ON,
      inConnection("const x = socket && socket.write(chunk, fn)", "const x = socket.write(chunk, fn)"),
    ],
    proof: test("fails a large statement on a connection that is gone"),
  },
  {
    name: "a deadline that a busy process misses",
    changes: [inPool("now - query.due > 50 || ", "")],
    proof: test("takes an answer that arrived while the process was busy"),
  },
  {
    name: "a queue of a pool without a bound",
    changes: [inPool("queries.length < options.max_queue", "true")],
    proof: test("refuses a query that waits behind more queries"),
  },
  {
    name: "a queue whose search includes the queries that have left it",
    changes: [
      inPool("xs.indexOf(x, index)", "xs.indexOf(x)"),
      inPool("index >= 32 && index * 2 >= xs.length", "false"),
    ],
    proof: test("searches a queue as quickly"),
  },
];
