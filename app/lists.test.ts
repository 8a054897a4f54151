import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Filter, Values } from "#components/table/list.ts";
import { operations } from "#server/operations.ts";

/** The operation behind each list of the console. */
const ASKED: Record<string, string> = {
  activity: "wallets.activity.list",
  agents: "runs.list",
  "api-keys": "apiKeys.list",
  approvals: "approvals.list",
  apps: "apps.list",
  artifacts: "artifacts.list",
  audit: "auditEvents.list",
  "child-keys": "apiKeys.list",
  connections: "connections.list",
  contacts: "wallets.contacts.list",
  copies: "databases.transfers.list",
  deliveries: "webhookDeliveries.list",
  "end-users": "endUsers.list",
  files: "files.list",
  invitations: "invitations.list",
  members: "members.list",
  memories: "memories.list",
  operations: "capabilities.list",
  orders: "trading.orders.list",
  projects: "projects.list",
  runs: "runs.list",
  services: "services.list",
  statement: "credits.ledger.list",
  swaps: "swaps.list",
  triggers: "triggers.list",
  "version-runs": "runs.list",
  wallets: "wallets.list",
  webhooks: "webhooks.list",
  "workflow-runs": "runs.list",
  workflows: "workflows.list",
};

type Declared = {
  name: string;
  filters: Record<string, Filter>;
  query: (values: Values) => Record<string, unknown>;
};

const isDeclared = (value: unknown): value is Declared =>
  typeof value === "object" && value !== null && "filterNames" in value;

const pages = fileURLToPath(new URL("(console)", import.meta.url));
const files = readdirSync(pages, { recursive: true, encoding: "utf8" }).filter((file) =>
  /(^|\/)queries\.ts$/.test(file),
);
const modules: Record<string, unknown>[] = await Promise.all(files.map((file) => import(join(pages, file))));
const lists = modules.flatMap((exported) => Object.values(exported)).filter(isDeclared);

/** Returns the schemas of an operation's parameters. */
function parametersOf(operationId: string | undefined) {
  const query = operations.find(({ id }) => id === operationId)?.query;
  const { properties = {}, $defs = {} } = z.toJSONSchema(query ?? z.object({}), {
    io: "input",
    unrepresentable: "any",
  });
  return new Map(
    Object.entries(properties).map(([name, schema]) => {
      if (typeof schema !== "object") return [name, undefined];
      // A type with a name is declared beside.
      return [name, schema.$ref ? $defs[schema.$ref.split("/").at(-1) ?? ""] : schema];
    }),
  );
}

type Parameter = ReturnType<typeof parametersOf> extends Map<string, infer Schema> ? Schema : never;

/** Returns the values that a filter has to offer: all that are enumerated, or those of its own within a range. */
function wantedOf(parameter: Parameter, offered: readonly unknown[]) {
  if (!parameter?.enum) {
    const { minimum = Number.NaN, maximum = Number.NaN } = parameter ?? {};
    return offered.filter((value) => Number(value) >= minimum && Number(value) <= maximum);
  }
  return parameter.enum.map(String).sort();
}

test("the test covers every list of the console", () => {
  expect(lists.map(({ name }) => name).sort()).toEqual(Object.keys(ASKED).sort());
});

test("a filter offers exactly its operation's values", () => {
  const filtered = lists.flatMap(({ name: list, filters, query }) =>
    Object.entries(filters).flatMap(([name, filter]) => {
      if (!("options" in filter)) return [];
      const values = filter.options
        .map(({ value }) => query({ [name]: value })[name])
        .filter((value) => value !== undefined)
        .sort();
      return [{ filter: `${list}: ${name}`, values, parameter: parametersOf(ASKED[list]).get(name) }];
    }),
  );
  expect(filtered.length).toBeGreaterThan(15);
  expect(filtered.map(({ filter, values }) => ({ filter, values }))).toEqual(
    filtered.map(({ filter, values, parameter }) => ({ filter, values: wantedOf(parameter, values) })),
  );
});

/** Filters with listed values that a list's page does not offer, and why. */
const NOT_OFFERED: Record<string, string> = {
  "apps: whose": "the page for all members' apps and the security page for one's own each fix it",
};

test("a list offers every filter of its operation that has listed values", () => {
  const hidden = lists.flatMap(({ name: list, filters, query }) => {
    // A parameter that the page always sends is no choice.
    const known = new Set(["sort", "total", ...Object.keys(filters), ...Object.keys(query({}))]);
    return [...parametersOf(ASKED[list])]
      .filter(([name, parameter]) => (parameter?.enum || parameter?.type === "boolean") && !known.has(name))
      .map(([name]) => `${list}: ${name}`);
  });
  expect(hidden).toEqual(Object.keys(NOT_OFFERED));
});

test("a list sends only parameters that its operation accepts", () => {
  const unknown = lists.flatMap(({ name, filters, query }) => {
    const known = parametersOf(ASKED[name]);
    const values = Object.fromEntries(Object.keys(filters).map((filter) => [filter, "on"]));
    return Object.keys(query(values))
      .filter((parameter) => !known.has(parameter))
      .map((parameter) => `${name}: ${parameter}`);
  });
  expect(unknown).toEqual([]);
});
