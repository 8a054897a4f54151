/** Prints a figure and its goal. */
export function line(what: string, value: string | number, goal = ""): void {
  const shown = typeof value === "number" ? value.toFixed(2) : value;
  console.log(`${what.padEnd(58)} ${shown.padStart(6)}   ${goal}`.trimEnd());
}

const ms = (value: number) => `${value.toFixed(1)} ms`;
export const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The results of one round: requests a second, and the microseconds of CPU per request. */
export interface Measure {
  rate: number;
  server: number;
  database: number;
}

export function reportPipeline(connections: number, measures: Record<string, Measure[]>): void {
  const of = (name: string, what: keyof Measure) => median((measures[name] ?? []).map((one) => one[what]));
  console.log(`At ${connections} connections, medians of alternating rounds:`);
  console.log("             requests/s   CPU µs per request: server, database");
  for (const name of Object.keys(measures)) {
    const [rate = "", ...cpu] = [of(name, "rate"), of(name, "server"), of(name, "database")].map((value) =>
      String(Math.round(value)),
    );
    console.log(`  ${name.padEnd(12)} ${rate.padStart(8)}   ${cpu.map((us) => us.padStart(6)).join(" ")}`);
  }
  const ratio = (what: string, one: string, other: string, goal?: string) =>
    line(what, of(one, "rate") / of(other, "rate"), goal);
  ratio("authenticated list / bare query, same server", "list", "bare", "≥ 0.4");
  ratio("authenticated list / the same list without the pipeline", "list", "unguarded");
  ratio("authenticated list by an access token / by an API key", "token", "list", "≥ 0.95");
  const cpuOf = (name: string) => of(name, "server") + of(name, "database");
  line("its CPU time / by an API key", cpuOf("token") / cpuOf("list"), "≤ 1.05");
  ratio("nine keys deep, limits on all / bare query, same server", "deep", "bare", "≥ 0.3");
  ratio("authenticated list / Next.js route with a bare query", "list", "next", "≥ 2");
  ratio("authenticated list / better-auth key verification", "list", "betterAuth", "≥ 3");
}

export function reportWebhooks({
  bare,
  delivered,
  filtered,
}: Record<"bare" | "delivered" | "filtered", number>): void {
  console.log(
    `Webhooks at 64 connections: ${Math.round(delivered)} deliveries/s, ${Math.round(bare)} bare posts/s`,
  );
  line("webhook deliveries / bare undici POST loop", delivered / bare, "≥ 0.4");
  line("webhook deliveries with a filter / without", filtered / delivered, "≥ 0.9");
}

type RunMeasures = Record<
  | "bareDispatchMs"
  | "runDispatchMs"
  | "barePerSecond"
  | "runsPerSecond"
  | "dbosStartedPerSecond"
  | "dbosQueuedPerSecond"
  | "delayMs"
  | "startedAhead",
  number
>;

export function reportRuns(runs: RunMeasures): void {
  const dbos = Math.max(runs.dbosStartedPerSecond, runs.dbosQueuedPerSecond);
  console.log("Durable runs beside the bare job engine and DBOS, medians of three alternating rounds:");
  console.log(
    `  created to first step ${ms(runs.runDispatchMs)}, enqueued to started ${ms(runs.bareDispatchMs)}`,
  );
  console.log(
    `  three-step runs ${Math.round(runs.runsPerSecond)} a second, three bare jobs ${Math.round(runs.barePerSecond)} times a second`,
  );
  console.log(
    `  DBOS: ${Math.round(runs.dbosStartedPerSecond)} a second started and awaited by eight callers, ${Math.round(runs.dbosQueuedPerSecond)} from a queue`,
  );
  console.log(`  started beside 10,000 queued runs of another account in ${ms(runs.delayMs)}`);
  line("created to first step / enqueued to started", runs.runDispatchMs / runs.bareDispatchMs, "≤ 4");
  line("three-step runs / three bare jobs, per second", runs.runsPerSecond / runs.barePerSecond, "≥ 0.5");
  line("three-step runs / DBOS at its quickest, per second", runs.runsPerSecond / dbos, "≥ 1.2");
  line("runs that start before another's beside 10,000 queued", String(runs.startedAhead), "≤ 10");
}

export function reportEvents({ p50, p95, most }: Record<"p50" | "p95" | "most", number>): void {
  console.log("From an event to the next step of the run that awaits it, by a worker of another process:");
  console.log(`  half within ${ms(p50)}, all within ${ms(most)}`);
  line("p95", ms(p95), "≤ 100 ms");
}

export function reportTicks({ alone, beside }: Record<"alone" | "beside", number>): void {
  console.log(`A trigger's run is created at most ${ms(alone)} after its time, of five rounds:`);
  line("the same beside 10,000 due of another account", ms(beside), "≤ 1000 ms");
}

type InboundMeasures = Record<"deliveries" | "refused" | "lost" | "p50" | "p95" | "most", number>;

export function reportInbound({ deliveries, refused, lost, p50, p95, most }: InboundMeasures): void {
  console.log(
    `${deliveries} deliveries to inbound webhooks, 500 a second, of which ${refused} were not taken:`,
  );
  console.log(`  half answered within ${ms(p50)}, all within ${ms(most)}`);
  line("p95 of the answer", ms(p95), "≤ 100 ms");
  line("answered 202, and not stored", String(lost), "0");
}

export function reportClaims({ ten, thousand }: Record<"ten" | "thousand", number>): void {
  console.log(
    `Runs of no step a second among 100,000 queued ones: ${Math.round(ten)} with ten concurrency keys, ${Math.round(thousand)} with 1,000`,
  );
  line("time of a run with 1,000 keys / with ten", ten / thousand, "≤ 1.5");
}

type SendMeasures = Record<"bareSendMs" | "sendMs" | "callMs" | "barePerSecond" | "perSecond", number>;

export function reportTransactions(sends: SendMeasures): void {
  console.log("What wallets send beside bare viem on the same chain, medians of three alternating rounds:");
  console.log(`  created to broadcast ${ms(sends.sendMs)}, signed and sent by viem ${ms(sends.bareSendMs)}`);
  console.log(
    `  10 wallets × 20 sends: ${Math.round(sends.perSecond)} confirmed a second, by viem ${Math.round(sends.barePerSecond)}`,
  );
  line("created to broadcast / signed and sent by viem", sends.sendMs / sends.bareSendMs, "≤ 3");
  line("call that creates it to broadcast / by viem", sends.callMs / sends.bareSendMs);
  line("confirmed a second / by viem", sends.perSecond / sends.barePerSecond, "≥ 0.7");
}

type FileMeasures = Record<"plainUpload" | "upload" | "plainDownload" | "download" | "grownMb", number>;

export function reportFiles(files: FileMeasures): void {
  console.log("A file of 1 GB beside a plain server that hashes, writes and syncs, medians of three rounds:");
  line("upload, speed / the plain server's", files.plainUpload / files.upload, "≥ 0.6");
  line("download, speed / the plain server's", files.plainDownload / files.download, "≥ 0.6");
  line("memory that the platform has grown by, MB", String(files.grownMb), "< 64");
}

type DatabaseMeasures = Record<
  "plainSmall" | "small" | "plainLarge" | "large" | "copy" | "export" | "import",
  number
>;

export function reportDatabases(databases: DatabaseMeasures): void {
  console.log(
    "Managed databases at 32 connections beside a plain handler, medians of three alternating rounds:",
  );
  console.log(
    `  one row ${Math.round(databases.small)} a second, plain ${Math.round(databases.plainSmall)}; 10,000 rows ${databases.large.toFixed(1)}, plain ${databases.plainLarge.toFixed(1)}`,
  );
  line("queries of one row / the plain handler's", databases.small / databases.plainSmall, "≥ 0.4");
  line("queries of 10,000 rows / the plain handler's", databases.large / databases.plainLarge, "≥ 0.85");
  line("export, speed / COPY, packed and hashed alike", databases.copy / databases.export, "≥ 0.5");
  line("import, speed / the same COPY", databases.copy / databases.import, "≥ 0.5");
}

export function reportLarge(pages: { name: string; small: number; large: number }[]): void {
  console.log(
    "A million audit events and rows and a hundred thousand keys beside a thousand of each, p50 of calls in turn:",
  );
  for (const { name, small, large } of pages)
    line(name, large / small, `≤ 1.3   (${small.toFixed(1)} and ${large.toFixed(1)} ms)`);
}

export function reportQuotes(quotes: Record<"bareMs" | "quoteMs" | "operationMs", number>): void {
  console.log(`Quotes over one pool, medians of alternating calls: the quoter alone ${ms(quotes.bareMs)}`);
  line("quote over every route / bare QuoterV2 call", quotes.quoteMs / quotes.bareMs, "≤ 2");
  line("POST /trading/quotes / bare QuoterV2 call", quotes.operationMs / quotes.bareMs);
}

export function reportSdk({ bare, sdk }: Record<"bare" | "sdk", { cpu: number; time: number }>): void {
  console.log(
    `A call by the SDK ${Math.round(sdk.time)} µs, by bare fetch ${Math.round(bare.time)} µs; medians of alternating rounds:`,
  );
  line("time of a call by the SDK / by bare fetch", sdk.time / bare.time, "≤ 1.3");
  line("CPU of the caller's process / by bare fetch", sdk.cpu / bare.cpu, "≤ 1.3");
}

interface TelemetryMeasures {
  /** The part of a list's CPU time in which it asks whether it is measured. */
  off: number;
  modes: Record<string, { rate: number; cpu: number }>;
}

/** Prints the rates and CPU times of lists relative to those without metrics and traces. */
export function reportTelemetry({ off, modes }: TelemetryMeasures): void {
  console.log("A list with metrics and traces beside one without, medians of alternating rounds:");
  line("off: time of asking whether it is measured / CPU of a list", off.toFixed(4), "≤ 0.01");
  for (const [mode, { rate, cpu }] of Object.entries(modes)) {
    if (mode === "off") continue;
    line(`${mode}: lists a second / without`, rate, mode === "every trace" ? "" : "≥ 0.9");
    line(`${mode}: CPU of a list / without`, cpu);
  }
}

type StreamMeasures = Record<"rate" | "cpu" | "delayMs" | "mostDelayMs" | "textMs" | "mostTextMs", number>;

export function reportStreams(streams: StreamMeasures): void {
  console.log("Beside 1,000 open streams of ten accounts, medians of alternating rounds:");
  line("authenticated list / the same without streams", streams.rate, "≥ 0.9");
  line("its CPU time / the same without streams", streams.cpu, "≤ 1.1");
  line("from the commit of an entry to its arrival, 50 at once", ms(streams.delayMs), "≤ 100 ms");
  line("the slowest of them", ms(streams.mostDelayMs));
  line("from a model's first token to its arrival, one run alone", ms(streams.textMs), "≤ 300 ms");
  line("the slowest of fifty", ms(streams.mostTextMs));
}

type CellMeasures = Record<
  | "tables"
  | "rows"
  | "bytes"
  | "copiedMs"
  | "frozenMs"
  | "refusedMs"
  | "writes"
  | "during"
  | "failed"
  | "neighbourCalls"
  | "neighbourFailures",
  number
> & { faults: string[] };

export function reportCells(move: CellMeasures): void {
  console.log(
    "An account moved from one cell to another while its four callers and two other accounts' go on:",
  );
  console.log(
    `  ${move.rows} rows of ${move.tables} tables, ${(move.bytes / 2 ** 20).toFixed(1)} MiB, copied in ${ms(move.copiedMs)} beside ${move.during} of its ${move.writes} writes`,
  );
  console.log(
    `  frozen for ${ms(move.frozenMs)}; ${move.neighbourCalls} calls of the other accounts meanwhile`,
  );
  for (const fault of move.faults) console.log(`  ${fault}`);
  line("how long the account's calls were answered 503", ms(move.refusedMs), "≤ 2000 ms");
  line("its calls that failed otherwise", String(move.failed), "0");
  line("answered writes that are lost, doubled or changed", String(move.faults.length), "0");
  line("calls of the other accounts that failed", String(move.neighbourFailures), "0");
}

/** Microseconds of CPU for each kind of work. */
export type Cost = Record<"request" | "run" | "delivery", { server: number; database: number }>;

export interface Growth {
  /** By the account's data, as multiples of size 1. */
  sizes: (Cost & { at: number })[];
  /** By the number of processes. */
  processes: (Cost & { at: number })[];
}

export function reportGrowth(growth: Growth): void {
  console.log("CPU µs of processes + database, medians of three rounds, at size 1 of 1,000 audit events:");
  for (const [what, measures] of Object.entries(growth) as [keyof Growth, Growth["sizes"]][]) {
    console.log(
      `  ${what.padEnd(10)} ${["a list", "a run", "a delivery"].map((name) => name.padStart(16)).join("")}`,
    );
    for (const { at, request, run, delivery } of measures) {
      const shown = [request, run, delivery].map(({ server, database }) =>
        `${Math.round(server)} + ${Math.round(database)}`.padStart(16),
      );
      console.log(`  ${String(at).padStart(10)} ${shown.join("")}`);
    }
  }
  const total = ({ server, database }: Cost["request"]) => server + database;
  const [first, last] = [growth.sizes.at(0), growth.sizes.at(-1)];
  const [one, most] = [growth.processes.at(0), growth.processes.at(-1)];
  if (!first || !last || !one || !most) return;
  for (const kind of ["request", "run", "delivery"] as const) {
    line(`a ${kind} at ${last.at} times the data / at one`, total(last[kind]) / total(first[kind]), "≤ 1.3");
    line(`a ${kind} with ${most.at} processes / with one`, total(most[kind]) / total(one[kind]));
  }
}

/** The ratios of an account's waiting times beside an attack to those without one, by attack and call. */
type Neighbours = Record<string, Record<string, { median: number; p95: number }>>;

export function reportNeighbours(ratios: Neighbours): void {
  console.log("An account beside others that attack: how much longer it waits (95th percentile in brackets)");
  for (const [attack, calls] of Object.entries(ratios))
    for (const [call, { median, p95 }] of Object.entries(calls))
      line(`${attack}: ${call}`, `${median.toFixed(2)} (${p95.toFixed(2)})`, "≤ 2");
}

/** Milliseconds of each measurement. */
type ConsoleTimes = Record<"navigation" | "palette" | "run" | "frames", number[]>;

export function reportConsole({ navigation, palette, run, frames }: ConsoleTimes): void {
  const slow = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;
  const both = (values: number[]) =>
    `${Math.round(median(values))}, ${Math.round(slow(values))}, ${Math.round(Math.max(...values))} ms`;
  console.log("The console in a browser; the median, the 95th percentile and the slowest:");
  console.log(`  from a link to the rows of its list              ${both(navigation)}   p95 ≤ 150 ms`);
  console.log(`  from the third letter to results among 100,000    ${both(palette)}   ≤ 300 ms`);
  console.log(`  first step of a run of 1,000                      ${both(run)}   ≤ 500 ms`);
  console.log(`  frames while its steps scroll                     ${both(frames)}   ≤ 50 ms`);
}
