import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

interface Health {
  status: string;
  checks: { name: string; ok: boolean }[];
}

/** Calls a server that a test has started, by HTTP and by the operator's commands. */
export function clientOf(server: () => { dataDir: string; port: number }) {
  async function readHealth(): Promise<Health> {
    return (await fetch(`http://localhost:${server().port}/health`)).json();
  }

  /** Creates an account with the operator's command, and its first key with the API. */
  async function createKey(): Promise<string> {
    const command = fileURLToPath(new URL("../server/boot/commands/account.ts", import.meta.url));
    const email = `process-${Date.now()}@example.com`;
    const args = ["create", "--email", email, "--password", "correct horse battery", "--credits", "500"];
    const made = spawnSync(process.execPath, [command, ...args], {
      encoding: "utf8",
      cwd: server().dataDir,
      env: { ...process.env, DATA_DIR: server().dataDir },
    });
    const { creditToken } = JSON.parse(made.stdout);
    const answer = await send("POST", "/api-keys", {
      headers: { "x-service-credit-token": creditToken },
      body: { label: "Process", scopes: ["projects:read", "services:invoke", "runs:write", "runs:read"] },
    });
    return answer.body.secret;
  }

  async function send(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
  ) {
    const response = await fetch(`http://localhost:${server().port}/v1${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(method !== "GET" && { "idempotency-key": `process-${Date.now()}-${Math.random()}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(({ cause }) => {
      throw new Error(`${method} ${path} was not answered: ${cause}`);
    });
    return { status: response.status, body: await response.json() };
  }

  return { send, readHealth, createKey };
}
