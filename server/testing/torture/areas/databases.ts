import { type Area, checkMadeOnce } from "../area.ts";
import type { Call } from "../client.ts";

/** Rows of the account's own database: each action that succeeds or is repeated writes its row exactly once. */
export const databases: Area = {
  name: "databases",
  weight: 2,
  async start({ client, createAccount, marker }) {
    const { key } = await createAccount();
    const post = (path: string, body: unknown) =>
      client.must({ method: "POST", path, key, body, headers: { "idempotency-key": marker("prepare") } });
    await post("/v1/databases/account", {});
    const columns = [
      { name: "id", type: "int8", default: "nextval('made_ids')" },
      { name: "marker", type: "text" },
    ];
    await post("/v1/databases/actions", {
      actions: [
        { type: "sql", sql: "create sequence made_ids" },
        { type: "table.create", table: "made", columns, primaryKey: ["id"] },
      ],
    });
    const inserted: Call[] = [];

    return {
      async call(random) {
        if (random.chance(0.4)) {
          const body = { sql: "select count(*) from made" };
          return client.send({ method: "POST", path: "/v1/databases/query", key, body }, random);
        }
        const name = marker("row");
        const rows = [{ marker: name }];
        const body = {
          actions: [
            { type: "rows.insert", table: "made", rows },
            { type: "sql", sql: "select marker from made where marker = $1", params: [name] },
          ],
        };
        inserted.push(
          await client.write(random, name, { method: "POST", path: "/v1/databases/actions", key, body }),
        );
      },

      async check() {
        const body = { sql: "select marker from made", maxRows: 10_000 };
        const { rows } = await client.must({ method: "POST", path: "/v1/databases/query", key, body });
        const made = rows.map(([name]: [string]) => ({ marker: name, id: name }));
        return checkMadeOnce(inserted, made, ({ marker }) => marker);
      },
    };
  },
};
