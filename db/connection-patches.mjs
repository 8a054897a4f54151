// Plain JavaScript for Node 20, without dependencies: set-up reads it before anything runs.

/** The patches of the file `connection.js` of postgres.js. */
export const CONNECTION_PATCHES = [
  // Each query knows its connection, so that a query without an answer in time can end that connection.
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
  {
    before: `    , closedTime = 0
`,
    after: `    , closedTime = 0
    , connectDue = 0
`,
  },
  {
    before: `    if (!socket)
      return

    connectTimer.start()
`,
    after: `    if (!socket)
      return

    startConnectTimer()
`,
  },
  // A timer that its own work starts again can still be cancelled.
  {
    before: `    fn.apply(null, args)
    timer = null
`,
    after: `    timer = null
    fn.apply(null, args)
`,
  },
  // A write to a closed connection fails its query instead of the process.
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

  // A process that was busy until now has not read what the server sent meanwhile: the time counts anew.
  function connectTimedOut() {
    performance.now() - connectDue > 50
      ? startConnectTimer()
      : destroy(Errors.connection('CONNECT_TIMEOUT', options, socket))
  }

  function startConnectTimer() {
    connectDue = performance.now() + options.connect_timeout * 1000
    connectTimer.start()
  }

  // Who waits for a connection is told, and it goes on connecting for the next; an answer that is late ends it.
  function expire(q, err) {
    if (initial !== q)
      return destroy(err)

    initial = null
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
  // A connection that the server does not close within five seconds is destroyed, so that it leaves the pool.
  {
    before: `      socket.readyState === 'open' && socket.end(b().X().end())
`,
    after: `      socket.readyState === 'open' && (
        socket.end(b().X().end()),
        setTimeout(x => x.destroy(), 5000, socket).unref()
      )
`,
  },
  // While a transaction has reserved a connection, no other statement runs on it.
  {
    before: `    !query && onopen(connection)
  }`,
    after: `    !query && !connection.reserved && onopen(connection)
  }`,
  },
  // A response that does not fit its query belongs to another query, and so do all later ones: the connection ends.
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
  // A new connection inherits nothing from the closed one: no bytes, no query, no partial response.
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
  // The server still answers a query that was cancelled after it was sent. If the query were removed, the next one
  // would receive its response.
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
  // The array types are known without a query on each new connection, which took more of the server's time than all
  // else at its start. Only a reservation that waits for the connection needed the second ReadyForQuery.
  {
    before: `
    , needsTypes = options.fetch_types
`,
    after: `
`,
  },
  {
    before: `      needsTypes = options.fetch_types
`,
    after: ``,
  },
  {
    before: `      if (needsTypes) {
        initial.reserve && (initial = null)
        return fetchArrayTypes()
      }

      initial && !initial.reserve && execute(initial)
      options.shared.retries = retries = 0
      initial = null
      return
`,
    after: `      const first = initial
      options.shared.retries = retries = 0
      initial = null
      return first.reserve ? onopen(connection) : execute(first)
`,
  },
  {
    before: `  async function fetchArrayTypes() {
    needsTypes = false
    const types = await new Query([\`
      select b.oid, b.typarray
      from pg_catalog.pg_type a
      left join pg_catalog.pg_type b on b.oid = a.typelem
      where a.typcategory = 'A'
      group by b.oid, b.typarray
      order by b.oid
    \`], [], execute)
    types.forEach(({ oid, typarray }) => addArrayType(oid, typarray))
  }

`,
    after: ``,
  },
  {
    before: `  const connection = {
    queue: queues.closed,`,
    after: `  options.fetch_types && ARRAY_TYPES.forEach(([oid, typarray]) => addArrayType(oid, typarray))

  const connection = {
    queue: queues.closed,`,
  },
  {
    before: `let uid = 1
`,
    after: `// PostgreSQL's own types and their arrays, whose numbers never change (pg_type.dat).
const ARRAY_TYPES = [
  [16, 1000], [17, 1001], [18, 1002], [19, 1003], [20, 1016], [21, 1005], [23, 1007], [25, 1009], [26, 1028],
  [114, 199], [650, 651], [700, 1021], [701, 1022], [869, 1041], [1042, 1014], [1043, 1015], [1082, 1182],
  [1083, 1183], [1114, 1115], [1184, 1185], [1186, 1187], [1266, 1270], [1700, 1231], [2205, 2210], [2206, 2211],
  [2950, 2951], [3220, 3221], [3614, 3643], [3802, 3807], [3904, 3905], [3906, 3907], [3910, 3911], [3912, 3913],
  [3926, 3927], [4072, 4073], [4089, 4090], [4096, 4097]
]

let uid = 1
`,
  },
];
