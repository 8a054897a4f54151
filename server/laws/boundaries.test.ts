import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { sourceFiles as files, root } from "#server/testing/source-files.ts";

/** The part of the platform that a file belongs to (docs/architecture.md); the first matching pattern counts. */
const PARTS: [part: string, pattern: RegExp][] = [
  // Lists of values for the tables, the API schemas and the console's first script.
  ["values", /^server\/([^/]+\/)+(statuses|kinds|outcomes)\.ts$/],
  ["driver", /^db\/connect\.ts$/],
  ["db", /^db\//],
  ["components/ui", /^components\/ui\//],
  ["components", /^components\//],
  ["app", /^app\//],
  // The customers' packages, which know the platform only by its API.
  ["clients", /^clients\//],
  ["base", /^server\/(base|env)\//],
  ["platform", /^server\/platform\.ts$/],
  ["start", /^server\/start-platform\.ts$/],
  ["registry", /^server\/(console-)?operations\.ts$/],
  ["routes", /^server\/routes\.ts$/],
  ["transports", /^server\/(transports|mcp)\//],
  ["operation", /^server\/operation\//],
  [
    "catalogue",
    /^server\/(catalogue\/(?!list-|read-)[^/]+|services\/(registry|own-services|service|capabilities|prices|compile-schema))\.ts$/,
  ],
  ["docs", /^server\/docs\//],
  ["providers", /^server\/providers\//],
  ["events", /^server\/events\//],
  ["jobs", /^server\/jobs\//],
  ["boot", /^server\/(boot|testing|bench)\//],
  [
    "ledger",
    /^server\/credits\/(balance-events|charge|charge-credits|hold-credits|post-credits|release-expired-holds|settlement-event)\.ts$/,
  ],
  ["chain", /^server\/chains\/(allowances|amounts|call-chain|fresh|watch-chains)\.ts$/],
  ["connection", /^server\/connections\/(use-connection|outbound-failure)\.ts$/],
  [
    "custody",
    /^server\/wallets\/(caps|decode-call|enqueue-transaction|executions\/[^/]+|funds|judge|transactions\/fees)\.ts$/,
  ],
  [
    "person",
    /^server\/members\/(person|sessions|session-token|sign-up|enrol-second-factor|prove-person|accept-invitation|switch-account|change-password|reset-password)\.ts$/,
  ],
  // An app's access is a key.
  ["keys", /^server\/keys\/(make-key|secrets|lifetime|boundary|delegation)\.ts$/],
  ["initiator", /^server\/members\/initiator\.ts$/],
  ["durable", /^server\/runs\/run-context\.ts$/],
  ["expressions", /^server\/workflows\/(evaluate|expressions|template)\.ts$/],
  ["schema", /^server\/([^/]+\/)+(schema|flow-schema|batch-schema|limits)\.ts$/],
  ["queries", /^server\/[^/]+\/queries\.ts$/],
  ["domain", /^server\/[^/]+\//],
];

const SHARED = [
  "base",
  "values",
  "driver",
  "platform",
  "operation",
  "catalogue",
  "db",
  "schema",
  "queries",
  "ledger",
  "chain",
  "connection",
  "keys",
  "custody",
  "initiator",
  "events",
  "providers",
  "jobs",
  "durable",
  "expressions",
];

/**
 * The parts that each part may import beside itself. A domain's folders may import only each other's `queries.ts` and
 * `schema.ts`.
 */
const ALLOWED: Record<string, string[]> = {
  driver: ["db"],
  db: ["driver", "values"],
  values: [],
  "components/ui": [],
  clients: [],
  components: ["components/ui", "schema"],
  app: ["base", "values", "transports", "person", "docs", "components", "components/ui", "schema"],
  base: ["db", "driver"],
  platform: [],
  start: [...SHARED, "domain"],
  registry: ["operation", "domain"],
  // The handlers by path, for both servers.
  routes: ["transports", "domain"],
  transports: ["base", "platform", "registry", "operation", "catalogue", "schema", "person", "events"],
  operation: ["base", "platform", "db"],
  catalogue: SHARED,
  docs: ["base", "platform", "registry", "operation", "catalogue", "transports", "schema", "events"],
  // Clusters of accounts' databases use the same driver as the platform's own.
  providers: ["base", "driver"],
  events: ["base", "platform", "operation", "db", "schema"],
  jobs: [...SHARED, "domain"],
  boot: [...SHARED, "person", "start", "registry", "routes", "transports", "docs", "domain", "clients"],
  schema: ["operation", "base", "schema", "values"],
  queries: SHARED,
  domain: SHARED,
  durable: ["operation", "db"],
  // Evaluates customers' expressions, in workflows and for triggers.
  expressions: [...SHARED, "domain"],
  // Moves credits for every charged operation.
  ledger: SHARED,
  // Calls the chains' nodes, and converts their units.
  chain: SHARED,
  // Calls outside systems for workflows, agents and services.
  connection: SHARED,
  // Creates keys.
  keys: SHARED,
  // Judges and sends a wallet's transactions; used by everything that moves money.
  custody: SHARED,
  // Identifies who started work that continues without them.
  initiator: SHARED,
  // A person beyond any account: signing up and in, sessions, factors.
  person: SHARED,
};

/** Deliberate exceptions from the table: finding a caller, prefetching on the server, the list of services. */
const MEANT = [
  "app/trpc-server.tsx → server/operations.ts",
  "server/operation/admit.ts → server/keys/credit-tokens.ts",
  "server/operation/admit.ts → server/keys/secrets.ts",
  "server/operation/admit.ts → server/members/admit-member.ts",
  "server/operation/claim.ts → server/keys/credit-tokens.ts",
  "server/services/own-services.ts → server/agents/service.ts",
  "server/services/own-services.ts → server/memory/service.ts",
  "server/services/own-services.ts → server/sent-events/service.ts",
  "server/services/own-services.ts → server/triggers/service.ts",
  "server/services/own-services.ts → server/workflows/service.ts",
];

function partOf(file: string): string {
  return PARTS.find(([, pattern]) => pattern.test(file))?.[0] ?? "none";
}

/** The imports of a file that exist at run time, and all of its imports. */
const AT_RUN_TIME = /(?:^|\n)(?:import|export) (?!type )(?:[^"';]*? from )?"([^"]+)"|\bimport\("([^"]+)"\)/g;
const WITH_TYPES = /(?:^|\n)(?:import|export) (?:[^"';]*? from )?"([^"]+)"|\bimport\("([^"]+)"\)/g;

/** Returns the specifiers that a file imports. */
function specifiersOf(file: string, imports = AT_RUN_TIME): string[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(imports)].map(([, fixed, late]) => fixed ?? late ?? "");
}

/** Returns the project's files that a file imports. */
function importsOf(file: string, imports = AT_RUN_TIME): string[] {
  return specifiersOf(file, imports).flatMap((target) => {
    if (target.startsWith("#")) return [target.slice(1)];
    return target.startsWith(".") ? [normalize(join(dirname(file), target))] : [];
  });
}

const folderOf = (file: string) => file.split("/").slice(0, 2).join("/");

test("every file of ours belongs to a part", () => {
  expect(files.length).toBeGreaterThan(80);
  expect(files.filter((file) => partOf(file) === "none")).toEqual([]);
});

test("imports point one way", () => {
  const against = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => {
        const [from, to] = [partOf(file), partOf(target)];
        const own = from === to && (to !== "domain" || folderOf(file) === folderOf(target));
        const beside = (to === "domain" || to === "person") && folderOf(file) === folderOf(target);
        return !own && !beside && !ALLOWED[from]?.includes(to);
      })
      .map((target) => `${file} → ${target}`),
  );
  expect(against.sort()).toEqual(MEANT);
});

test("no file imports itself, directly or indirectly, not even for a type", () => {
  const imports = new Map(files.map((file) => [file, importsOf(file, WITH_TYPES)]));
  const reached = (from: string) => {
    const seen = new Set<string>();
    const open = [...(imports.get(from) ?? [])];
    for (let next = open.pop(); next; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(imports.get(next) ?? []));
    }
    return seen;
  };
  expect(files.filter((file) => reached(file).has(file))).toEqual([]);
});

test("the browser gets no server module but pure schemas", () => {
  const schemas = files.filter((file) => partOf(file) === "schema");
  const reachable = new Set<string>();
  const open = schemas.flatMap((schema) => importsOf(schema));
  for (let next = open.pop(); next; next = open.pop()) {
    if (reachable.has(next)) continue;
    reachable.add(next);
    open.push(...importsOf(next));
  }
  const texts = [...reachable].map((file) => [file, readFileSync(join(root, file), "utf8")] as const);
  expect(
    texts.filter(([, text]) => /from "(node:|postgres|drizzle)/.test(text)).map(([file]) => file),
  ).toEqual([]);
});

test("the product needs no package that only tests and development install", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  // Guides quote code for customers' own packages.
  const ours = files.filter(
    (file) => !/^(clients|server\/(docs\/guides|testing|bench))\/|\.config\.ts$/.test(file),
  );
  const missing = ours.flatMap((file) =>
    specifiersOf(file)
      .filter((name) => !/^([#.]|node:)/.test(name))
      .map((name) =>
        name
          .split("/")
          .slice(0, name.startsWith("@") ? 2 : 1)
          .join("/"),
      )
      .filter((name) => !(name in dependencies))
      .map((name) => `${file} → ${name}`),
  );
  expect(missing).toEqual([]);
});

/** They open one connection for the statements of a start or a command, and close it; or they never reconnect. */
const ONCE = [
  "server/boot/backup/copy-cluster.ts",
  "server/boot/backup/restore-cluster.ts",
  "server/boot/backup/restore-files.ts",
  "server/boot/backup/verify-restored.ts",
  "server/boot/connections.ts",
  "server/boot/engines/embedded-clusters.ts",
  "server/boot/engines/postgres.ts",
  "server/boot/migrate.ts",
  "server/boot/move/forget-moved.ts",
  "server/boot/move/move-account.ts",
  "server/providers/tenants/connection.ts",
];

test("connections that are opened again get the one backoff, since db/connect.ts opens them", () => {
  const ours = files.filter((file) => !/^server\/(testing|bench)\//.test(file));
  const openers = ours
    .filter((file) => specifiersOf(file).includes("postgres"))
    .filter((file) => /(?<![.\w])postgres\(/.test(readFileSync(join(root, file), "utf8")));
  expect(openers.sort()).toEqual(["db/connect.ts", ...ONCE]);
  // The library for jobs brings a driver of its own; its pool waits by the same backoff.
  expect(ours.filter((file) => specifiersOf(file).includes("pg"))).toEqual(["server/jobs/worker.ts"]);
  expect(importsOf("server/jobs/worker.ts")).toContain("db/connect.ts");
});
