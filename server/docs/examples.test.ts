import { createHmac } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "#db/schema/audit.ts";
import { defined } from "#server/base/defined.ts";
import { createCreditToken } from "#server/keys/credit-tokens.ts";
import { apiOperations } from "#server/operations.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createResource, ownedParams } from "#server/testing/resources.ts";
import { createShell, examplesIn } from "#server/testing/shell-walk.ts";
import { VERIFY_IN_PYTHON } from "./guides/webhooks.ts";
import { guidesOf } from "./guides.ts";
import { pagesOf } from "./pages.ts";

const api = await startApi({ settings: { streams: { lifetimeMs: 1000 } } });
const { written, execute } = await createShell(api.origin);
written("FILE", "hello");

const pages = new Map(pagesOf(apiOperations, "http://platform.test").map((page) => [page.path, page]));

/**
 * Returns the command that runs the examples of all operations at once, isolated from one another: a failing one ends
 * only itself.
 */
const LANGUAGES: Record<string, (examples: readonly string[]) => [command: string, file: string]> = {
  sh(examples) {
    const script = examples.map((text) => `(\n${text}\n) || true`).join("\n");
    return ["bash", written("all.sh", script)];
  },
  ts(examples) {
    // A refusal is an error of the SDK, and is sent once, as in the other languages. An ended stream is not reopened
    // either.
    const once = examples.map((text) =>
      text
        .replace("new Platform({", "new Platform({ maxRetries: 0,")
        .replace(
          /\.follow\((.*?)\)\) console/,
          (_, given) => `.follow(${given || "{}"}, { signal: AbortSignal.timeout(1000) })) console`,
        ),
    );
    const files = once.map((text, index) => written(`${index}.mjs`, text));
    const script = files.map((file) => `await import(${JSON.stringify(file)}).catch(() => null);`).join("\n");
    return [process.execPath, written("all.mjs", script)];
  },
  py(examples) {
    const files = examples.map((text, index) => written(`${index}.py`, text));
    const each = "try:\n        exec(open(file).read(), {})\n    except urllib.error.HTTPError: pass";
    return [
      "python3",
      written("all.py", `import urllib.error\nfor file in ${JSON.stringify(files)}:\n    ${each}\n`),
    ];
  },
};

/** Runs every operation's example in a language, in a new account; returns the status of each call. */
async function statusesIn(language: string): Promise<Record<string, number[]>> {
  const { key, accountId } = await api.createRootKey();
  const env: Record<string, string> = { API_KEY: key, PART_NUMBER: "1", SERVICE_ID: "managed-memory" };
  const examples: string[] = [];
  for (const operation of apiOperations.filter(({ scope }) => scope !== null)) {
    const [text = ""] = examplesIn(language, pages.get(`/docs/${operation.operationId}`)?.blocks);
    let own = text;
    // Each example has its own resources, so that none depends on another's effects.
    for (const param of ownedParams(operation)) {
      const name = param.replace(/([A-Z])/g, "_$1").toUpperCase();
      const unlike = `${name}_${examples.length}`;
      env[unlike] = await createResource(api, key, param);
      own = own.replaceAll(new RegExp(`\\b${name}\\b`, "g"), unlike);
    }
    examples.push(own);
  }
  const made = await eventsOf(accountId);
  const [command, file] = defined(LANGUAGES[language])(examples);
  await execute(command, [file], env);
  const events = (await eventsOf(accountId)).slice(made.length);
  return Object.fromEntries(
    [...Map.groupBy(events, ({ operation }) => operation)].map(([operation, group]) => [
      operation,
      group.map(({ status }) => status).sort(),
    ]),
  );
}

function eventsOf(accountId: string) {
  return api.platform.database.db
    .select({ operation: auditEvents.operation, status: auditEvents.status })
    .from(auditEvents)
    .where(eq(auditEvents.accountId, accountId))
    .orderBy(asc(auditEvents.id));
}

const FAULTY = [400, 401, 403, 405, 411, 413, 415, 500];

test("every operation's examples make the same well-formed call in curl, TypeScript and Python", async () => {
  const [sh = {}, ts, py] = await Promise.all(["sh", "ts", "py"].map(statusesIn));
  expect(Object.keys(sh)).toHaveLength(
    new Set(apiOperations.filter(({ scope }) => scope).map(({ id }) => id)).size,
  );
  expect(
    Object.entries(sh).filter(([, statuses]) => statuses.some((status) => FAULTY.includes(status))),
  ).toEqual([]);
  expect(ts).toEqual(sh);
  expect(py).toEqual(sh);
});

const WALKED = [
  "first-key",
  "delegation",
  "idempotency",
  "top-up",
  "approvals",
  "webhooks",
  "streams",
  "workflows",
  "compensation",
  "waiting",
  "schedules",
  "flow-control",
  "inbound-webhooks",
  "mcp",
];

const guideNamed = (name: string) =>
  defined(guidesOf("http://platform.test").find(({ path }) => path === `/docs/${name}`));

/** Runs a program of a guide in a new account; returns its output and its calls. */
async function walk(command: string, script: string) {
  const { key, accountId } = await createPayingKey(api, 100);
  const creditToken = await api.platform.database.db.transaction((tx) => createCreditToken(tx, accountId));
  const made = await eventsOf(accountId);
  const { stdout } = await execute(command, [script], { API_KEY: key, CREDIT_TOKEN: creditToken });
  const events = (await eventsOf(accountId)).slice(made.length);
  return { stdout, calls: [...new Set(events.map((event) => `${event.status} ${event.operation}`))].sort() };
}

// The guides tell their readers to save it.
written("workflow.json", examplesIn("json", guideNamed("workflows").blocks)[0] ?? "");

test.for(WALKED)("the guide %s can be walked through as it is written", async (name) => {
  const { blocks } = guideNamed(name);
  const script = `set -euo pipefail\n${examplesIn("sh", blocks).join("\n")}\n`;
  const { stdout } = await walk("bash", written(`${name}.sh`, script));
  expect(stdout).not.toBe("");
});

// The SDK follows a run to its end, and no worker executes runs here.
const SHOWN_TWICE = WALKED.filter(
  (name) => name !== "streams" && guideNamed(name).blocks.some(({ type }) => type === "samples"),
);

test.for(SHOWN_TWICE)("the guide %s makes the same calls in TypeScript", async (name) => {
  const samples = guideNamed(name).blocks.filter(({ type }) => type === "samples");
  const shell = `set -euo pipefail\n${examplesIn("sh", samples).join("\n")}\n`;
  const { calls } = await walk("bash", written(`${name}-samples.sh`, shell));
  const program = written(`${name}.mts`, examplesIn("ts", samples).join("\n"));
  expect((await walk(process.execPath, program)).calls).toEqual(calls);
  expect(calls).not.toEqual([]);
});

test.for([
  { said: "whsec_dGVzdA==", verified: "True" },
  { said: "whsec_b3RoZXI=", verified: "False" },
])(
  "the guide's check in Python finds a delivery signed with $said to be $verified",
  async ({ said, verified }) => {
    const body = '{"id":"whe_1"}';
    const at = Math.floor(Date.now() / 1000);
    const signature = createHmac("sha256", said).update(`${at}.${body}`).digest("hex");
    const script = written("verify.py", VERIFY_IN_PYTHON);
    const { stdout } = await execute("bash", ["-c", `printf %s '${body}' | python3 ${script}`], {
      X_SERVICE_SIGNATURE: `t=${at},v1=${signature}`,
      WEBHOOK_SECRET: "whsec_dGVzdA==",
    });
    expect(stdout.trim()).toBe(verified);
  },
);
