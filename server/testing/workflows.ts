import type { startApi } from "./api.ts";
import { createPayingKey } from "./credits.ts";
import { runWith } from "./runs.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/**
 * Creates a paying account with a key that starts workflows and another principal's key that may approve; returns
 * functions that use both.
 */
export async function createStarter(api: Api, credits = 1000) {
  const { key: root, accountId } = await createPayingKey(api, credits);
  const approver = await api.createChild(root, { label: "Approver" });
  const starter = await api.createChild(root, { label: "Starter" });
  const { key } = starter;

  async function start(workflow: unknown, input?: unknown, more: Record<string, unknown> = {}) {
    const body = {
      serviceId: "managed-workflows",
      operationId: "execute",
      input: { workflow, input },
      ...more,
    };
    const { run } = await api.mustSend(202, "POST", "/v1/runs", { key, body });
    return run.id;
  }

  async function run(steps: unknown[], input?: unknown, output?: unknown) {
    const id = await start({ name: "Test", steps, output }, input);
    return runWith(api, root, id, "succeeded");
  }

  async function fail(steps: unknown[], input?: unknown) {
    const id = await start({ name: "Test", steps }, input);
    return runWith(api, root, id, "failed");
  }

  /** Creates a connection to this peer; returns its id. */
  async function connect(host: string): Promise<string> {
    const body = {
      label: "Peer",
      provider: "peer",
      authType: "bearer",
      secret: "the peer's",
      allowedHosts: [host],
    };
    const answer = await api.send("POST", "/v1/connections", { key: root, body });
    return answer.body.connection.id;
  }

  const get = (path: string) => api.send("GET", path, { key: root });
  return {
    key,
    apiKey: starter.apiKey,
    accountId,
    root,
    approver: approver.key,
    start,
    run,
    fail,
    connect,
    get,
  };
}
