import { eq } from "drizzle-orm";
import { projects } from "#db/schema/projects.ts";
import { runs } from "#db/schema/runs.ts";
import { workflows } from "#db/schema/workflows.ts";
import { type Area, checkMadeOnce } from "../area.ts";
import type { Call } from "../client.ts";

const CREDITS = 1_000_000;
const ENDED = ["succeeded", "failed", "cancelled", "expired"];

/** Returns a version that creates the project in its input, and returns its own marker. */
const leaf = (marker: string) => ({
  name: "leaf",
  workflow: {
    name: marker,
    steps: [
      { id: "make", type: "operation", operation: "projects.create", body: { name: "{% input.marker %}" } },
    ],
    output: marker,
  },
});

const tree = {
  name: "tree",
  workflow: {
    name: "tree",
    steps: [{ id: "leaf", type: "run", name: "leaf", input: { marker: "{% input.marker %}" } }],
    output: "{% steps.leaf %}",
  },
};

const parse = (bytes: Uint8Array | null) => JSON.parse(Buffer.from(bytes ?? []).toString() || "null");

/**
 * Versions are stored while runs of them are started: each run has one child, which executes the version that it
 * reports.
 */
export const storedWorkflows: Area = {
  name: "stored workflows",
  weight: 2,
  async start({ client, installation, createAccount, marker }) {
    const { db } = installation.database;
    const { accountId, key } = await createAccount(CREDITS);
    const put = (input: object) => ({
      method: "POST" as const,
      path: "/v1/services/managed-workflows/invoke",
      key,
      body: { operationId: "put", input },
    });
    const first = marker("version");
    for (const input of [leaf(first), tree])
      await client.must({ ...put(input), headers: { "idempotency-key": `store:${input.name}` } });
    const puts: Call[] = [];
    const starts: Call[] = [];
    const rowsOf = () => db.select().from(runs).where(eq(runs.accountId, accountId));

    return {
      async call(random) {
        const what = random.fraction();
        if (what < 0.3) {
          const name = marker("version");
          puts.push(await client.write(random, name, put(leaf(name))));
          return;
        }
        const known = starts.filter(({ outcome }) => outcome === "answered");
        if (what > 0.7 && known.length > 0) {
          const path = `/v1/runs/${random.pick(known).answer.run.id}`;
          return client.send({ method: "GET", path, key }, random);
        }
        const name = marker("tree");
        const input = { name: "tree", input: { marker: name } };
        const body = { serviceId: "managed-workflows", operationId: "start", input };
        starts.push(await client.write(random, name, { method: "POST", path: "/v1/runs", key, body }));
      },

      async pending() {
        const live = (await rowsOf()).filter(({ status }) => !ENDED.includes(status));
        const [one] = live;
        return one
          ? `${live.length} runs of stored workflows have not ended; ${one.id} is ${one.status}.`
          : null;
      },

      async check() {
        const rows = (await rowsOf()).map((row) => ({
          ...row,
          marker: String(parse(row.input).input.marker),
          output: parse(row.result)?.output,
        }));
        const roots = rows.filter(({ parentId }) => parentId === null);
        const children = Map.groupBy(rows, ({ parentId }) => parentId ?? "");
        const made = await db.select().from(projects).where(eq(projects.accountId, accountId));
        const named = Map.groupBy(made, ({ name }) => name);
        const answered = puts.filter(({ outcome }) => outcome === "answered");
        const versions = new Map(
          answered.map(({ answer, marker }) => [Number(answer.result.workflow.version), marker]),
        ).set(1, first);
        const [stored] = (await db.select().from(workflows).where(eq(workflows.accountId, accountId))).filter(
          ({ name }) => name === "leaf",
        );

        const faults = roots.flatMap(({ id, status, error, marker, output }) => {
          const below = children.get(id) ?? [];
          const [child] = below;
          const wanted = versions.get(child?.workflowVersion ?? 0);
          const about = `The run ${id} (${marker}) is ${status}`;
          const projectCount = named.get(marker)?.length ?? 0;
          return [
            ...(status === "succeeded" ? [] : [`${about}: ${JSON.stringify(error)}.`]),
            ...(below.length === 1 ? [] : [`${about}, and has ${below.length} children.`]),
            ...(projectCount === 1 ? [] : [`${about}, and has made ${projectCount} projects.`]),
            ...(child?.output === wanted && output === wanted
              ? []
              : [
                  `${about}, with ${output} of its child's ${child?.output}, whose version ${child?.workflowVersion} is ${wanted}.`,
                ]),
          ];
        });
        return [
          ...checkMadeOnce(starts, roots, ({ answer }) => answer.run.id),
          ...(stored?.version === versions.size && versions.size === answered.length + 1
            ? []
            : [
                `${answered.length} versions were stored after the first, and the newest is ${stored?.version}.`,
              ]),
          ...faults,
        ];
      },
    };
  },
};
