import { eq } from "drizzle-orm";
import { memories } from "#db/schema/memory.ts";
import { runs as table } from "#db/schema/runs.ts";
import { defined } from "#server/base/defined.ts";
import { type Asked, type Scripted, startModelServer } from "#server/testing/model-server.ts";
import { type Area, checkMadeOnce } from "../area.ts";
import type { Call } from "../client.ts";

const CREDITS = 1_000_000;
const PUT = "services.invoke.managed-memory.put";
const ENDED = ["succeeded", "failed", "cancelled", "expired"];

/** Starts a model that has each task remembered once, and then says that it is done. */
export function startScriptedModel() {
  function answer({ body }: Asked): Scripted {
    if (body.messages.some(({ role }: { role: string }) => role === "tool")) return { text: "Done." };
    const task = body.messages.find(({ role }: { role: string }) => role === "user").content;
    // Without a name each memory is a new one.
    const input = { content: task };
    return { toolCalls: [{ name: PUT.replaceAll(".", "_"), arguments: { input } }] };
  }
  return startModelServer(answer);
}

/** Agents execute each tool call of their model once. */
export const agents: Area = {
  name: "agents",
  weight: 1,
  async start({ client, installation, createAccount, marker }) {
    const { db } = installation.database;
    const { accountId, key } = await createAccount(CREDITS);
    const created: Call[] = [];
    const rowsOf = () => db.select().from(table).where(eq(table.accountId, accountId));

    return {
      async call(random) {
        const name = marker("agent");
        const input = { input: name, tools: [PUT], approveWrites: false };
        const body = { serviceId: "managed-agents", operationId: "respond", input };
        created.push(await client.write(random, name, { method: "POST", path: "/v1/runs", key, body }));
      },

      async pending() {
        const live = (await rowsOf()).filter(({ status }) => !ENDED.includes(status));
        return live.length === 0
          ? null
          : `${live.length} agents have not ended; ${live[0]?.id} is ${live[0]?.status}.`;
      },

      async check() {
        const rows = await rowsOf();
        const made = rows.map(({ id, input }) => ({
          marker: JSON.parse(Buffer.from(input ?? []).toString()).input as string,
          id,
        }));
        const kept = await db.select().from(memories).where(eq(memories.accountId, accountId));
        const acts = Map.groupBy(kept, ({ content }) => content);
        const faults = rows.flatMap(({ id, status, error }, place) => {
          const acted = acts.get(defined(made[place]?.marker))?.length ?? 0;
          if (status === "succeeded" && acted === 1) return [];
          return [`The agent ${id} is ${status}, and has acted ${acted} times: ${JSON.stringify(error)}.`];
        });
        return [...checkMadeOnce(created, made, ({ answer }) => answer.run.id), ...faults];
      },
    };
  },
};
