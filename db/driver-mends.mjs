// Plain JavaScript for Node 20, without dependencies: set-up reads it before anything runs.
import { createHash } from "node:crypto";

/** The version of postgres.js that the mends are for. */
export const VERSION = "3.4.9";

/**
 * What is mended in postgres.js, file by file: each text stands there exactly once and is replaced. The faults are open
 * upstream (porsager/postgres #1204, #1208, #1216); `db/driver.test.ts` fails on the driver as it is shipped.
 */
const REPLACEMENTS = {
  "connection.js": [
    // A connection knows which queries it was given, so that one that is not answered in time can end it.
    {
      before: `    connect(query) {
      initial = query
      reconnect()
    },`,
      after: `    connect(query) {
      query.connection = connection
      initial = query
      reconnect()
    },
    expire,
    answeredAt: 0,`,
    },
    {
      before: `    try {
      q.state = backend
      query`,
      after: `    try {
      q.state = backend
      q.connection = connection
      query`,
    },
    // A write to a connection that is gone fails its query, and never the process.
    {
      before: `  function nextWrite(fn) {
    const x = socket.write(chunk, fn)
    nextWriteTimer !== null && clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    return x
  }

  function connectTimedOut() {
    errored(Errors.connection('CONNECT_TIMEOUT', options, socket))
    socket.destroy()
  }`,
      after: `  function nextWrite(fn) {
    nextWriteTimer !== null && clearImmediate(nextWriteTimer)
    const x = socket && socket.write(chunk, fn)
    chunk = nextWriteTimer = null
    socket || failed(Errors.connection('CONNECTION_CLOSED', options, socket))
    return x
  }

  function connectTimedOut() {
    destroy(Errors.connection('CONNECT_TIMEOUT', options, socket))
  }

  // Who waits for a connection is told, and it goes on connecting for the next; an answer that is late ends it.
  function expire(q, err) {
    if (initial !== q)
      return destroy(err)

    initial = needsTypes ? { reserve: noop, reject: noop } : null
    queryError(q, err)
  }

  function destroy(err) {
    const x = socket
    failed(err)
    x && (closed(true), x.destroy())
  }

  function failed(err) {
    errored(err)
    while (sent.length)
      queryError(sent.shift(), err)
  }`,
    },
    // A server that does not end the connection in its turn keeps no place in the pool.
    {
      before: `      socket.readyState === 'open' && socket.end(b().X().end())
`,
      after: `      socket.readyState === 'open' && (
        socket.end(b().X().end()),
        setTimeout(x => x.destroy(), 5000, socket).unref()
      )
`,
    },
    // A transaction's connection takes no statements of others between two of its own.
    {
      before: `    !query && onopen(connection)
  }`,
      after: `    !query && !connection.reserved && onopen(connection)
  }`,
    },
    // An answer that does not fit its query is another's, and so are all that follow it.
    {
      before: `      } catch (e) {
        query && (query.cursorFn || query.describeFirst) && write(Sync)
        errored(e)
      }`,
      after: `      } catch (e) {
        if (e instanceof RangeError || e instanceof TypeError || e instanceof SyntaxError)
          return destroy(Object.assign(Errors.connection('FOREIGN_ANSWER', options, socket), { cause: e }))
        query && (query.cursorFn || query.describeFirst) && write(Sync)
        errored(e)
      }`,
    },
    {
      before: `    const row = query.isRaw ? new Array(query.statement.columns.length) : {}
`,
      after: `    const row = query.isRaw ? new Array(query.statement.columns.length) : {}
    if (x.readUInt16BE(5) !== query.statement.columns.length)
      throw new RangeError('The row has ' + x.readUInt16BE(5) + ' columns')
`,
    },
    // Nothing of a connection that is gone is left to the one that follows it: no bytes, no query, no half answer.
    {
      before: `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)
    socket.removeListener('connect', connected)
    idleTimer.cancel()`,
      after: `    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)
    socket.removeListener('connect', connected)
    idleTimer.cancel()`,
    },
    {
      before: `    socket.removeAllListeners()
    socket = null

    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
    closedTime`,
      after: `    socket.removeAllListeners()
    socket.on('error', noop)
    socket = null

    if (initial && options.host.length > 1)
      return reconnect()

    failed(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = results = errorResponse = null
    result = new Result()
    rows = 0
    closedTime`,
    },
    // A query that was cancelled after it was sent is still answered: dropped, its answer would go to the next one.
    {
      before: `    while (sent.length && (query = sent.shift()) && (query.active = true, query.cancelled))
      Connection(options).cancel(query.state, query.cancelled.resolve, query.cancelled.reject)
`,
      after: `    sent.length && ((query = sent.shift()).active = true)
`,
    },
    {
      before: `  function ReadyForQuery(x) {
`,
      after: `  function ReadyForQuery(x) {
    options.deadline && (options.deadline.answeredAt = connection.answeredAt = performance.now())
`,
    },
    {
      before: `      order by b.oid
    \`], [], execute)
`,
      after: `      order by b.oid
    \`], [], execute).catch(() => [])
`,
    },
  ],
  "index.js": [
    {
      before: `Object.assign(Postgres, {
  PostgresError,`,
      after: `Object.assign(Postgres, {
  mends: 'MENDS',
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
    // What was lost with its connection never goes on: not on the connection that takes its place, nor in another's transaction.
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
    // The queue of a pool is bounded.
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
  // is silent, and what follows waits a moment only.
  function expire(query) {
    const { deadline } = options, now = performance.now()
    if (now - (query.connection || deadline).answeredAt < 2 * deadline.silentMs)
      return query.timer = setTimeout(expire, deadline.silentMs, query)
    now - deadline.answeredAt > deadline.silentMs && (deadline.silentSince = now)
    const error = Errors.connection('QUERY_TIMEOUT', options)
    query.connection
      ? query.connection.expire(query, error)
      : (queries.remove(query), query.reject(error))
  }`,
    },
    // Whoever cancels reaches whatever the connection does by then. A query that was sent is left to its answer or its deadline.
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
  "query.js": [
    {
      before: `    this.resolve = x => (this.active = false, resolve(x))
    this.reject = x => (this.active = false, reject(x))

    this.active = false`,
      after: `    this.resolve = x => (this.active = false, clearTimeout(this.timer), resolve(x))
    this.reject = x => (this.active = false, clearTimeout(this.timer), reject(x))

    this.timer = null
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
  query.timer = setTimeout(expire, deadline.silentSince > deadline.answeredAt ? deadline.silentMs : deadline.ms, query)
}

function cachedError(xs) {`,
    },
  ],
};

/** Names this set of mends; the driver that has them says it as `postgres.mends`. */
export const MENDS = createHash("sha256").update(JSON.stringify(REPLACEMENTS)).digest("hex").slice(0, 16);

/** The mended text of a file of the driver; files without mends stay as they are. */
export function mended(name, text) {
  let result = text;
  for (const { before, after } of REPLACEMENTS[name]) {
    if (result.split(before).length !== 2)
      throw new Error(`postgres ${VERSION} has not what is to be mended in ${name}:\n${before}`);
    result = result.replace(before, () => after);
  }
  return result.replace("mends: 'MENDS'", `mends: '${MENDS}'`);
}

export const FILES = Object.keys(REPLACEMENTS);
