import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { startModelServer } from "#server/testing/model-server.ts";
import { CHOICE, startOAuthApi } from "#server/testing/oauth.ts";
import { paidOn } from "#server/testing/payments.ts";
import { startRuns } from "#server/testing/runs.ts";
import { packClient } from "./pack-client.ts";

const TASK = "Prepare a welcome for Ada, and have somebody look at it before it is kept.";
const WORKFLOW = {
  name: "Welcome",
  steps: [
    { id: "ask", type: "approval", summary: "Keep a welcome for {% input.user %}?" },
    {
      id: "keep",
      type: "invoke",
      serviceId: "managed-memory",
      operationId: "put",
      input: { name: "welcome", content: "Hello, {% input.user %}." },
    },
  ],
  output: "{% steps.keep.memory.content %}",
};

const chain = await startTestChain();
const api = await startOAuthApi({ ...(await paidOn(chain)), signupCredits: 0 });
const worker = await startRuns(api);
const model = await startModelServer((_, nth) =>
  nth === 0
    ? {
        toolCalls: [
          {
            name: "runs_create",
            arguments: {
              serviceId: "managed-workflows",
              operationId: "execute",
              input: { workflow: WORKFLOW, input: { user: "Ada" } },
              idempotencyKey: "welcome-for-ada",
            },
          },
        ],
      }
    : { text: "The welcome for Ada is approved and kept." },
);

/** A module that tells the agent that each token expires within a second, so that it refreshes before each call. */
const SHORT_LIVED = `data:text/javascript,${encodeURIComponent(`
  import { appendFileSync } from "node:fs";
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!String(input).endsWith("/oauth/token") || !response.ok) return response;
    appendFileSync("tokens.txt", ".");
    return Response.json({ ...(await response.json()), expires_in: 1 });
  };
`)}`;

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "agent-example-"));
const started: ChildProcess[] = [];
afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  await worker.stop();
  await model.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Installs the example as its own page says, with the SDK that this installation serves. */
async function install() {
  const sdk = join(folder, "node_modules/@managed-services/sdk");
  mkdirSync(sdk, { recursive: true });
  writeFileSync(join(folder, "sdk.tgz"), await packClient("sdk"));
  const unpacked = spawnSync("tar", ["-xzf", "sdk.tgz", "--strip-components=1", "-C", sdk], { cwd: folder });
  expect(unpacked.status).toBe(0);
  cpSync(join(root, "clients/examples/agent"), folder, { recursive: true });
  for (const name of ["ai", "@ai-sdk", "@modelcontextprotocol"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
}

/** Ada signs the agent in, has a wallet with test USD, and no credits; Grace approves. */
async function createPeople() {
  const ada = await signUpAndIn(api);
  const grace = await signInMember(api, ada.accountId, "approver");
  const made = await ada.mutate("wallets.create", {
    label: "Treasury",
    policy: { signatures: { messages: true, typedDataContracts: null } },
  });
  await chain.fund(made.data.wallet.address, { usd: "10" });

  /** Opens the address that the agent shows, and allows the requested access. */
  async function allow(address: string) {
    const answer = await fetch(address, { redirect: "manual" });
    const consent = new URL(defined(answer.headers.get("location")));
    const scopes = new URL(address).searchParams.get("scope")?.split(" ");
    const allowed = await ada.mutate("apps.allow", {
      requestId: consent.searchParams.get("request"),
      ...CHOICE,
      scopes,
    });
    if (allowed.status !== 200) throw new Error(JSON.stringify(allowed.error));
    expect((await fetch(allowed.data.redirectTo)).status).toBe(200);
    return "Ada allows it, for 1000 credits a day";
  }

  async function approve(approvalId: string) {
    const { data } = await grace.query("approvals.read", { approvalId });
    const { payloadHash, summary } = data.approval;
    const decided = await grace.mutate("approvals.decide", { approvalId, decision: "approve", payloadHash });
    if (decided.status !== 200) throw new Error(JSON.stringify(decided.error));
    return `Grace approves “${summary}”`;
  }

  return { ada, allow, approve };
}

/** Ids, addresses and hashes differ from run to run. */
const shown = (line: string) =>
  line
    .replaceAll(api.origin, "http://platform.test")
    .replace(/(\/oauth\/authorize)\?.*/, "$1?…")
    .replaceAll(/\b([a-z]{3,5})_[0-9a-z]{26}\b/g, "$1_…")
    .replaceAll(/0x[0-9a-f]{64}/g, "0x…");

test("begins with an address, signs in, requests more access, pays, waits for people and shows its receipt", async () => {
  await install();
  const { ada, allow, approve } = await createPeople();
  const agent = spawn(process.execPath, ["--import", SHORT_LIVED, "agent.ts", api.origin, TASK], {
    cwd: folder,
    env: { NODE_ENV: "test", PATH: process.env.PATH, MODEL_BASE_URL: model.baseUrl, MODEL_NAME: "scripted" },
  });
  started.push(agent);
  let errors = "";
  agent.stderr.setEncoding("utf8").on("data", (text) => {
    errors += text;
  });
  const ended = new Promise((resolve) => agent.once("close", resolve));
  const transcript = [`$ node agent.ts http://platform.test "${TASK}"`];
  for await (const line of createInterface({ input: agent.stdout })) {
    transcript.push(shown(line));
    const [, address] = /^Open (\S+)$/.exec(line) ?? [];
    if (address) transcript.push(`# ${await allow(address)}.`);
    const [, approval] = /^Decide at .*\/(\w+)$/.exec(line) ?? [];
    if (approval) transcript.push(`# ${await approve(approval)}.`);
  }
  expect([await ended, errors]).toEqual([0, ""]);
  await expect(`${transcript.join("\n")}\n`).toMatchFileSnapshot(
    "../../clients/examples/agent/transcript.txt",
  );
  const { data } = await ada.query("credits.balance.read");
  expect(data.balance.totalCredits).toBe(4997);
  expect(readFileSync(join(folder, "tokens.txt"), "utf8").length).toBeGreaterThan(10);
});

test("is one file of less than 150 lines", () => {
  const text = readFileSync(join(root, "clients/examples/agent/agent.ts"), "utf8");
  expect(text.trimEnd().split("\n").length).toBeLessThan(150);
});

test("is installed with the packages that it was tested with", () => {
  const manifest = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));
  const { dependencies, devDependencies } = manifest("package.json");
  expect({ ...dependencies, ...devDependencies }).toMatchObject(
    manifest("clients/examples/agent/package.json").dependencies,
  );
});
