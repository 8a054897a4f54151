import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { defined } from "#server/base/defined.ts";
import { idOf, toUuid } from "#server/base/ids.ts";
import { exampleId } from "#server/operation/fields.ts";
import type { Operation } from "#server/operation/operation.ts";
import { everyOperation } from "#server/operations.ts";
import { startApi } from "#server/testing/api.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { growAccounts } from "#server/testing/large-account.ts";
import { addManyListed } from "#server/testing/many-listed.ts";
import { addManyResources } from "#server/testing/many-resources.ts";
import { pagesOfEach } from "#server/testing/pages-read.ts";
import type { Person } from "#server/testing/search.ts";

const api = await startApi();
const sql = postgres(api.databaseUrl, { max: 1, onnotice: () => undefined });
afterAll(() => sql.end({ timeout: 5 }));

interface Asked {
  /** Texts that are searched: those that none, or half, of the rows contain. */
  searches?: readonly string[];
  /** Queries beside each filter with each of its values, each order, and the count. */
  others?: readonly Record<string, unknown>[];
}

/** A hash that no transaction has, and no content. */
const NO_HASH = "5f".repeat(32);

/** The lists that the law asks, in an account with 100,000 rows of the kind; 20,000 where `addManyListed` adds them. */
const ASKED: Record<string, Asked> = {
  "projects.list": {
    searches: ["shop", "number 7", "none such", "nowhere"],
    others: [{ search: "shop", sort: "-name", total: "include" }],
  },
  "apiKeys.list": { searches: ["none such", "nowhere"], others: [{ status: "expired", total: "include" }] },
  "files.list": {
    searches: ["depot", "none such", NO_HASH],
    others: [
      { name: "invoice of depot 7.pdf" },
      { endUser: "user of depot 7" },
      { search: "shop", sort: "-name", total: "include" },
    ],
  },
  "runs.list": {
    searches: ["shop", "none such"],
    others: [
      { serviceId: "managed-memory", operationId: "put" },
      { serviceId: "managed-workflows", operationId: "execute", total: "include" },
      { endUser: "user of depot 7" },
      { status: "failed", total: "include" },
      { search: "depot 7", status: "failed" },
      { workflowVersion: 1, total: "include" },
    ],
  },
  "endUsers.list": {
    searches: ["depot", "none such"],
    others: [{ externalId: "user of depot 7" }, { search: "shop", sort: "-externalId", total: "include" }],
  },
  "memories.list": {
    searches: ["shop", "none such"],
    others: [{ tag: "never" }, { tag: "never", total: "include" }, { search: "shop", sort: "-name" }],
  },
  "wallets.transactions.list": {
    searches: ["shop", "none such"],
    others: [{ network: "eip155:1" }, { status: "failed", total: "include" }],
  },
  "auditEvents.list": {
    searches: ["projects", "workflows", "rch", "none such", exampleId("request")],
    others: [
      { total: "include", consoleReads: "exclude" },
      { sort: "createdAt", total: "include" },
      { operation: "projects.archive", total: "include" },
      { outcome: "denied", total: "include", sort: "createdAt" },
      { memberId: exampleId("member"), total: "include", consoleReads: "exclude" },
    ],
  },
  "credits.ledger.list": {},
  "approvals.list": {},
  "artifacts.list": { searches: ["report", "none such", NO_HASH] },
  "connections.list": {
    searches: ["shop", "none such", "sho"],
    others: [{ host: "nowhere.example" }, { host: "shop.example" }, { host: "shop.example", sort: "label" }],
  },
  "wallets.list": { searches: ["wallet", "none such", "beefed", "0x15d3"], others: [{ sort: "label" }] },
  "workflows.list": { searches: ["workflow", "none such"], others: [{ search: "workflow", sort: "-name" }] },
  "trading.orders.list": {
    searches: ["shop", "none such", "eth-"],
    others: [{ status: "open", total: "include" }, { symbol: "BTC-USD" }, { search: "shop", status: "open" }],
  },
  "swaps.list": {
    searches: ["none such", NO_HASH],
    others: [{ status: "failed", total: "include" }],
  },
  "triggers.list": { searches: ["shop", "none such"], others: [{ search: "shop", sort: "-name" }] },
  // A search reads the wallet's transactions, as swaps and orders are found by the transactions that they have sent.
  "wallets.activity.list": {},
  "webhookDeliveries.list": {
    searches: ["run", "approval.exp", "none such"],
    others: [{ event: "approval.expired" }, { search: "expired", total: "include" }],
  },
};

/** Lists of which a filter reads the account's rows: few accounts have many, or an index would cost each write too much. */
const NOT_ASKED = [
  "apiKeys.children.list",
  "apps.list",
  "databases.transfers.list",
  "invitations.list",
  "members.list",
  "wallets.contacts.list",
  "webhooks.list",
];

/** Lists that have a law of their own, or no rows of the account. */
const OTHERS = ["actions.list", "capabilities.list", "services.list", "swaps.tokens.list"];

const isList = ({ query }: Operation) => query !== undefined && "cursor" in query.shape;
const lists = everyOperation.filter(isList);

interface Field {
  $ref?: string;
  enum?: unknown[];
  examples?: unknown[];
}

/** A query for each value of each filter: those that the schema lists, or the example, which no row has. */
function filtersOf({ query }: Operation): Record<string, unknown>[] {
  const { properties, $defs } = z.toJSONSchema(defined(query), { io: "input", unrepresentable: "any" }) as {
    properties: Record<string, Field>;
    $defs?: Record<string, Field>;
  };
  return Object.entries(properties).flatMap(([name, property]) => {
    const field = property.$ref ? defined($defs?.[defined(property.$ref.split("/").at(-1))]) : property;
    const values = field.enum ?? field.examples?.slice(0, 1) ?? [];
    return ["limit", "cursor", "search"].includes(name) ? [] : values.map((value) => ({ [name]: value }));
  });
}

let person: Person;
let projectId: string;
let walletId: string;
let webhookId: string;
beforeAll(async () => {
  person = await signUpAndIn(api);
  const { data } = await person.mutate("projects.create", { name: "Grown" });
  const root = await person.mutate("apiKeys.create", { label: "Root", scopes: ["projects:read"] });
  const account = toUuid("account", person.accountId);
  const project = toUuid("project", data.project.id);
  await addManyResources(sql, { account, project });
  await addManyListed(sql, { account, wallet: project });
  await growAccounts(sql, [
    { account, project, root: toUuid("apiKey", root.data.apiKey.id), events: 100_000, keys: 0 },
  ]);
  projectId = idOf("project", project);
  walletId = idOf("wallet", project);
  webhookId = idOf("webhook", project);
});

test("every list is asked, or named as one that is not", () => {
  const named = [...Object.keys(ASKED), ...NOT_ASKED, ...OTHERS];
  expect([...new Set(lists.map(({ id }) => id))].toSorted()).toEqual(named.toSorted());
});

/**
 * The pages of a filter; a scan of 20,000 rows reads more. Not asked: a search that half of the rows match in an order in
 * which the other half comes first. No index serves both; it reads 11,000.
 */
const MAX_PAGES = 350;
/** A scan of the runs reads 5,600. */
const MAX_PAGES_OF_SEARCH = 2000;

test.for(lists.filter(({ id }) => id in ASKED))("$id reads few pages, whatever it is asked", async (list) => {
  const { searches = [], others = [] } = defined(ASKED[list.id]);
  const { shape } = defined(list.query);
  const queries = [
    {},
    ...filtersOf(list),
    // Every row is of this project and in this period.
    ...("projectId" in shape ? [{ projectId }] : []),
    ...("walletId" in shape ? [{ walletId, total: "include" }] : []),
    ...("webhookId" in shape
      ? [{ webhookId }, { webhookId, event: "run.failed" }, { webhookId, status: "failed", search: "run" }]
      : []),
    ...("from" in shape ? [{ from: "2020-01-01T00:00:00.000Z", to: "2100-01-01T00:00:00.000Z" }] : []),
    ...searches.map((search) => ({ search })),
    ...others,
  ];
  const read = await pagesOf(list, queries);
  const most = (query: object) => ("search" in query ? MAX_PAGES_OF_SEARCH : MAX_PAGES);
  const suspects = read.filter(({ query, pages }) => pages > most(query)).map(({ query }) => query);
  // Another process of the database may have read pages meanwhile; a query that reads many reads them each time.
  const again = suspects.length > 0 ? await pagesOf(list, suspects) : [];
  expect(again.filter(({ query, pages }) => pages > most(query))).toEqual([]);
});

async function pagesOf(list: Operation, queries: readonly Record<string, unknown>[]) {
  const pages = await pagesOfEach(
    api,
    queries.map((query) => async () => {
      const { status, error } = await person.query(list.id, {
        ...(list.params && { walletId }),
        ...query,
      });
      expect(status, JSON.stringify([list.id, query, error])).toBe(200);
    }),
  );
  return queries.map((query, nth) => ({ query, pages: defined(pages[nth]) }));
}
