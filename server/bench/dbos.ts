import { DBOS, DBOSClient } from "@dbos-inc/dbos-sdk";

const NAME = "three-steps";
const QUEUE = "bench";

let steps = 0;
let firstAt = 0;

const workflow = DBOS.registerWorkflow(
  async () => {
    firstAt ||= performance.now();
    await DBOS.runStep(async () => 1, { name: "first" });
    await DBOS.runStep(async () => 2, { name: "second" });
    await DBOS.runStep(async () => 3, { name: "third" });
    steps += 3;
    return {};
  },
  { name: NAME },
);

async function launch(systemDatabaseUrl: string): Promise<void> {
  steps = 0;
  firstAt = 0;
  DBOS.setConfig({
    name: "bench",
    systemDatabaseUrl,
    logLevel: "error",
    tracingEnabled: false,
    // Raised until it made no difference: with the default of 10, workflows wait for connections.
    systemDatabasePoolSize: 20,
  });
  await DBOS.launch();
}

/** Returns the URL of a database for DBOS on the same server. */
function ownDatabase(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.pathname = "/dbos";
  return url.href;
}

/** Returns how many three-step workflows per second `concurrency` callers start and wait for with DBOS. */
export async function startedPerSecond(
  databaseUrl: string,
  count: number,
  concurrency: number,
): Promise<number> {
  await launch(ownDatabase(databaseUrl));
  let left = count;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) await (await DBOS.startWorkflow(workflow)()).getResult();
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  await DBOS.shutdown();
  return count / seconds;
}

/**
 * Returns how many queued three-step workflows per second DBOS runs, from the start of the first to the end of the
 * last.
 */
export async function queuedPerSecond(databaseUrl: string, count: number): Promise<number> {
  const url = ownDatabase(databaseUrl);
  const client = await DBOSClient.create({ systemDatabaseUrl: url });
  for (let nth = 0; nth < count; nth++) await client.enqueue({ workflowName: NAME, queueName: QUEUE });
  await client.destroy();
  await launch(url);
  await DBOS.registerQueue(QUEUE, { minPollingIntervalMs: 100 });
  while (steps < 3 * count) await new Promise((resolve) => setTimeout(resolve, 2));
  const seconds = (performance.now() - firstAt) / 1000;
  await DBOS.shutdown();
  return count / seconds;
}
