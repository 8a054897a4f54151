import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { sent } from "#server/testing/sent-events.ts";
import { invokeTriggers, remember, triggersDo } from "#server/testing/triggers.ts";
import { filterColumns } from "#server/webhooks/settings/compile-filter.ts";
import { Filter } from "#server/webhooks/settings/schema.ts";

const api = await startApi();
const { client } = api.platform.database;

const LONG = "1".repeat(150);
/** A field of each type; there is none at `missing`. */
const FIELDS = {
  nothing: null,
  yes: true,
  no: false,
  seven: 7,
  sevenText: "7.00",
  amount: "12.50",
  large: `${LONG}.5`,
  code: "007",
  word: "failed",
  date: "2026-12-31T23:00:00Z",
  empty: "",
  list: [7],
  tree: { a: 1 },
};
const PATHS = [...Object.keys(FIELDS), "missing"];
type Name = keyof typeof FIELDS | "missing";
const allBut = (...names: Name[]) => PATHS.filter((path) => !names.some((name) => name === path));

/** The names of the fields that fulfil a condition, the same in a webhook's filter and in `where`. */
const HOLDS: [op: string, value: unknown, names: string[]][] = [
  ["eq", 7, ["seven", "sevenText"]],
  ["eq", "7.0", ["seven", "sevenText"]],
  ["eq", 12.5, ["amount"]],
  ["eq", `${LONG}.50`, ["large"]],
  ["eq", "007", ["code"]],
  ["eq", "failed", ["word"]],
  ["eq", "", ["empty"]],
  ["eq", true, ["yes"]],
  ["eq", false, ["no"]],
  ["eq", null, ["nothing"]],
  ["ne", 7, allBut("seven", "sevenText", "missing")],
  ["ne", "failed", allBut("word", "missing")],
  ["ne", true, allBut("yes", "missing")],
  ["ne", null, allBut("nothing", "missing")],
  ["in", ["7", "failed", null, false], ["nothing", "no", "seven", "sevenText", "word"]],
  ["in", ["x"], []],
  ["gt", 7, ["amount", "large"]],
  ["gt", "7", ["amount", "large"]],
  ["gte", "7", ["seven", "sevenText", "amount", "large"]],
  ["gt", `${LONG}.4`, ["large"]],
  ["gt", `${LONG}.5`, []],
  ["lt", 12.5, ["seven", "sevenText"]],
  ["lt", "12.5", ["seven", "sevenText"]],
  ["lte", "12.500", ["seven", "sevenText", "amount"]],
  ["lt", -1, []],
  ["exists", true, allBut("nothing", "missing")],
  ["exists", undefined, allBut("nothing", "missing")],
  ["exists", false, ["nothing", "missing"]],
  ["prefix", "00", ["code"]],
  ["prefix", "fail", ["word"]],
  ["prefix", "7", ["sevenText"]],
];

test("means the same in webhooks' filters and in where, of every operator and type", async () => {
  const cases = HOLDS.flatMap(([op, value, names]) =>
    PATHS.map((path) => ({ path: `data.${path}`, op, value, holds: names.includes(path) })),
  );
  const judged = cases.map(({ path, op, value }) => {
    const filter = Filter.parse([{ path, op, value }]);
    return { where: filter, filter: filterColumns(filter).filterPath };
  });
  const rows = await client<{ filter: boolean; where: boolean }[]>`
    select coalesce(e @@ (j.one ->> 'filter')::jsonpath, false) as filter, event_fits(e, j.one -> 'where') as where
    from jsonb_array_elements(${JSON.stringify(judged)}::text::jsonb) with ordinality j(one, n),
      (values (${JSON.stringify({ data: FIELDS })}::text::jsonb)) events(e)
    order by j.n`;
  const outcomes = rows.map(({ filter, where }, nth) => ({ ...cases[nth], filter, where }));
  expect(outcomes).toEqual(cases.map((one) => ({ ...one, filter: one.holds, where: one.holds })));
});

test.each([
  ["lt", "2027-01-01", ["amount", "code", "date", "empty", "large"]],
  ["gte", "failed", ["word"]],
  ["eq", { a: 1 }, ["tree"]],
  ["in", [[7], "x"], ["list"]],
  ["in", [], []],
  ["prefix", "", ["amount", "code", "date", "empty", "large", "sevenText", "word"]],
])("judges by where alone what others send: %s %j", async (op, value, names) => {
  const holds = await Promise.all(
    PATHS.map(async (path) => {
      const [row] = await client`
        select event_fits(${JSON.stringify({ data: FIELDS })}::text::jsonb,
          ${JSON.stringify([{ path: `data.${path}`, op, value }])}::text::jsonb) as fits`;
      return row?.fits ? [path] : [];
    }),
  );
  expect(holds.flat().sort()).toEqual(names);
});

const RUN = "run.failed";
const FAULTS: [condition: object, field: string, message: string][] = [
  [{ path: "data.run.statos", op: "eq", value: "failed" }, "path", "data.run.status"],
  [{ path: "data.runs.status", op: "exists", value: false }, "path", "data.run.status"],
  [{ path: "data.run", op: "eq", value: "x" }, "path", "data.run holds several fields"],
  [{ path: "data.run.tags", op: "eq", value: "x" }, "path", "data.run.tags is a list"],
  [{ path: "data.run.status", op: "gt", value: "many" }, "value", "gt compares numbers"],
  [{ path: "data.run.status", op: "in", value: [] }, "value", "List at least one"],
  [{ path: "data.run.status", op: "eq", value: { a: 1 } }, "value", "a number, true, false or null"],
  [{ path: "data.run.status", op: "in", value: ["x", [1]] }, "value", "a number"],
  [{ path: "data.run.status", op: "prefix", value: "" }, "value", "prefix takes"],
];

test.each(FAULTS)(
  "refuses %j of an event of the platform alike in a filter, a trigger and a step",
  async (condition, field, message) => {
    const { key } = await createPayingKey(api, 100);
    const issuesAt = async (path: string, method: "POST", to: string, body: object) => {
      const refused = await api.send(method, to, { key, body });
      expect([refused.status, refused.body.error.code]).toEqual([400, "invalid_request"]);
      const [issue] = refused.body.error.issues;
      expect(issue).toEqual({ path: `${path}.${field}`, message: expect.stringContaining(message) });
    };
    const webhook = { url: "https://example.com/hook", events: [RUN], filter: [condition] };
    await issuesAt("body.filter.0", "POST", "/v1/webhooks", webhook);
    const on = { event: RUN, where: [condition] };
    await issuesAt("body.input.on.where.0", "POST", "/v1/services/managed-triggers/invoke", {
      operationId: "put",
      input: { name: "failed", on, start: remember },
    });
    const step = { id: "a", type: "await", timeoutSeconds: 1, events: [{ name: RUN, where: [condition] }] };
    const workflow = { name: "Wait", steps: [step] };
    await issuesAt("body.input.workflow.steps.0.events.0.where.0", "POST", "/v1/runs", {
      serviceId: "managed-workflows",
      operationId: "execute",
      input: { workflow },
    });
  },
);

test.each([
  [
    "an event of one's own at any path, by texts too",
    { event: "order.paid" },
    "data.run.statos",
    "gt",
    "many",
  ],
  ["a delivery at any path", { webhook: { scheme: "none" } }, "data.runs.0.statos", "exists", false],
  ["a field of a run's own data", { event: RUN }, "data.run.input.order.0.id", "eq", "x"],
  ["an entry of a list", { event: RUN }, "data.run.tags.3", "eq", "x"],
  ["the name of an event", { event: RUN }, "name", "eq", RUN],
])("takes conditions on %s", async (_, source, path, op, value) => {
  const { key } = await createPayingKey(api, 100);
  const on = { ...source, where: [{ path, op, value }] };
  const { trigger } = await triggersDo(api, key, "put", { name: "any", on, start: remember });
  expect(trigger.on.where).toEqual(on.where);
});

test("names the nearest path below a list's entries", async () => {
  const { key } = await createPayingKey(api, 100);
  const where = [{ path: "data.run.timeline.2.stat", op: "eq", value: "x" }];
  const refused = await invokeTriggers(api, key, "put", {
    name: "failed",
    on: { event: RUN, where },
    start: remember,
  });
  expect(refused.status).toBe(400);
  expect(refused.body.error.issues).toMatchObject([
    {
      path: "body.input.on.where.0.path",
      message: expect.stringMatching(
        /^run\.failed has no data\.run\.timeline\.2\.stat\. The nearest is data\.run\.timeline\.0\./,
      ),
    },
  ]);
});

test("starts a run by a field that is there, not by one that is null", async () => {
  const { key } = await createPayingKey(api, 100);
  const on = { event: "order.paid", where: [{ path: "data.coupon", op: "exists" }] };
  await triggersDo(api, key, "put", { name: "coupon", on, start: remember });
  for (const [data, started] of [
    [{}, 0],
    [{ coupon: null }, 0],
    [{ coupon: "A" }, 1],
  ] as const)
    expect(await sent(api, key, { name: "order.paid", data })).toMatchObject({ started });
});
