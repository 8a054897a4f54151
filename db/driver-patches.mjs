// Plain JavaScript for Node 20, without dependencies: set-up reads it before anything runs.
import { createHash } from "node:crypto";
import { CONNECTION_PATCHES } from "./connection-patches.mjs";

/** The version of postgres.js that the patches are for. */
export const VERSION = "3.4.9";

/**
 * The patches of postgres.js, file by file: each `before` occurs exactly once and is replaced. The faults are open
 * upstream (porsager/postgres #1204, #1208, #1216); `db/driver.test.ts` fails on the unpatched driver.
 */
const REPLACEMENTS = {
  "connection.js": CONNECTION_PATCHES,
  "index.js": [
    {
      before: `Object.assign(Postgres, {
  PostgresError,`,
      after: `Object.assign(Postgres, {
  patches: 'PATCHES_DIGEST',
  PostgresError,`,
    },
    {
      before: `    handler.debug = options.debug
`,
      after: `    handler.debug = options.debug
    handler.deadline = options.deadline
    handler.expire = expire
`,
    },
    // Once a reservation or transaction has lost its connection, its later queries fail: they must not run on the next
    // connection or in another transaction.
    {
      before: `    move(c, reserved)
    c.reserved = () => queue.length
      ? c.execute(queue.shift())
      : move(c, reserved)
    c.reserved.release = true
`,
      after: `    let lost = null
    move(c, reserved)
    c.reserved = () => queue.length
      ? c.execute(queue.shift())
      : move(c, reserved)
    c.reserved.release = true
    c.onclose = e => {
      lost = e
      while (queue.length)
        queue.shift().reject(e)
    }
`,
    },
    {
      before: `    sql.release = () => {
      c.reserved = null
      onopen(c)
    }

    return sql

    function handler(q) {
      c.queue === full`,
      after: `    sql.release = () => {
      if (lost)
        return
      c.reserved = c.onclose = null
      onopen(c)
    }

    return sql

    function handler(q) {
      if (lost)
        return q.reject(lost)
      c.queue === full`,
    },
    {
      before: `      , connection
      , prepare = null
`,
      after: `      , connection
      , lost = null
      , prepare = null
`,
    },
    {
      before: `        new Promise((_, reject) => connection.onclose = reject)
`,
      after: `        new Promise((_, reject) => connection.onclose = e => {
          reject(lost = e)
          while (queries.length)
            queries.shift().reject(e)
        })
`,
    },
    {
      before: `        q.catch(e => uncaughtError || (uncaughtError = e))
        c.queue === full`,
      after: `        q.catch(e => uncaughtError || (uncaughtError = e))
        if (lost)
          return q.reject(lost)
        c.queue === full`,
    },
    // The queue of a pool is bounded, and so is the time that a query waits.
    {
      before: `      ? go(busy.shift(), query)
      : queries.push(query)
  }`,
      after: `      ? go(busy.shift(), query)
      : queries.length < options.max_queue
        ? queries.push(query)
        : query.reject(Errors.connection('QUEUE_FULL', options))
  }

  // Behind others that are still answered a query waits longer. Where nothing at all was answered of late, the database
  // is silent, and later queries wait a moment only. A process that was busy until now has neither sent all queries nor
  // read all responses: its timer is late.
  function expire(query) {
    const { deadline } = options, now = performance.now()
    if (now - query.due > 50 || now - (query.connection || deadline).answeredAt < 2 * deadline.silentMs) {
      query.due = now + deadline.silentMs
      query.timer = setTimeout(expire, deadline.silentMs, query)
      return
    }
    now - deadline.answeredAt > deadline.silentMs && (deadline.silentSince = now)
    const error = Errors.connection('QUERY_TIMEOUT', options)
    query.connection
      ? query.connection.expire(query, error)
      : (queries.remove(query), query.reject(error))
  }`,
    },
    // A cancellation would reach whatever query the connection runs by then. A query that was sent is left to its
    // response or its deadline.
    {
      before: `      query.state
        ? query.active
          ? Connection(options).cancel(query.state, resolve, reject)
          : query.cancelled = { resolve, reject }
        : (`,
      after: `      query.state
        ? resolve()
        : (`,
    },
    {
      before: `    onclose         : o.onclose,
`,
      after: `    onclose         : o.onclose,
    deadline        : o.deadline,
    max_queue       : o.max_queue || Infinity,
`,
    },
  ],
  // A queue that never runs empty, as that of idle connections, keeps the place of each item that has left it, and is
  // searched through all of them at each query.
  "queue.js": [
    {
      before: `      const index = xs.indexOf(x)
      return index === -1
        ? null
        : (xs.splice(index, 1), x)`,
      after: `      const at = xs.indexOf(x, index)
      return at === -1
        ? null
        : (xs.splice(at, 1), x)`,
    },
    {
      before: `        xs = []
      } else {`,
      after: `        xs = []
      } else if (index >= 32 && index * 2 >= xs.length) {
        xs = xs.slice(index)
        index = 0
      } else {`,
    },
  ],
  "query.js": [
    {
      before: `    this.resolve = x => (this.active = false, resolve(x))
    this.reject = x => (this.active = false, reject(x))

    this.active = false`,
      after: `    this.resolve = x => (this.active = false, clearTimeout(this.timer), resolve(x))
    this.reject = x => (this.active = false, clearTimeout(this.timer), reject(x))

    this.timer = null
    this.due = 0
    this.connection = null
    this.active = false`,
    },
    {
      before: `    !this.executed && (this.executed = true) && await 1 && this.handler(this)
`,
      after: `    !this.executed && (this.executed = true, expect(this), true) && await 1 && this.handler(this)
`,
    },
    {
      before: `function cachedError(xs) {`,
      after: `function expect(query) {
  const { deadline, expire } = query.handler
  if (!deadline || query.cursorFn)
    return
  const ms = deadline.silentSince > deadline.answeredAt ? deadline.silentMs : deadline.ms
  query.due = performance.now() + ms
  query.timer = setTimeout(expire, ms, query)
}

function cachedError(xs) {`,
    },
  ],
};

/** Identifies this set of patches; the patched driver has it as `postgres.patches`. */
export const PATCHES_DIGEST = createHash("sha256")
  .update(JSON.stringify(REPLACEMENTS))
  .digest("hex")
  .slice(0, 16);

/** Returns the patched text of a file of the driver. */
export function patched(name, text) {
  let result = text;
  for (const { before, after } of REPLACEMENTS[name]) {
    if (result.split(before).length !== 2)
      throw new Error(
        `postgres ${VERSION} does not contain this part of ${name}, which is to be patched:\n${before}`,
      );
    result = result.replace(before, () => after);
  }
  return result.replace("patches: 'PATCHES_DIGEST'", `patches: '${PATCHES_DIGEST}'`);
}

export const FILES = Object.keys(REPLACEMENTS);
