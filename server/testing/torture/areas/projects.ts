import { eq } from "drizzle-orm";
import { projects as table } from "#db/schema/projects.ts";
import { type Area, checkMadeOnce } from "../area.ts";
import type { Call } from "../client.ts";
import { checkEvents, type EventEndpoint } from "./event-endpoint.ts";

interface Project {
  id: string;
  description: string | null;
  archived: boolean;
  /** The events that its changes have caused. */
  events: string[];
  /** True while a call changes it, or if such a call's outcome is unknown. */
  busy: boolean;
}

/** Projects are created, changed by one caller at a time, archived and read; each change has its event. */
export const projects = (endpoint: EventEndpoint): Area => ({
  name: "projects",
  weight: 4,
  async start({ client, installation, createAccount, marker }) {
    const { accountId, key } = await createAccount();
    await endpoint.subscribe(client, accountId, key);
    const made: Call[] = [];
    const known: Project[] = [];
    const uncertain: { project: Project; change: Partial<Project>; call: Call }[] = [];

    function apply(project: Project, change: Partial<Project>, call: Call) {
      if (call.outcome === "unknown") return void uncertain.push({ project, change, call });
      project.busy = false;
      if (call.outcome === "refused") return;
      Object.assign(project, change);
      project.events.push(change.archived ? "project.archived" : "project.updated");
    }

    return {
      async call(random) {
        const free = known.filter(({ busy, archived }) => !busy && !archived);
        const what = random.fraction();
        if (free.length === 0 || what < 0.45) {
          const name = marker("project");
          const call = await client.write(random, name, {
            method: "POST",
            path: "/v1/projects",
            key,
            body: { name },
          });
          made.push(call);
          if (call.outcome !== "answered") return;
          const { id } = call.answer.project;
          known.push({ id, description: null, archived: false, events: ["project.created"], busy: false });
          return;
        }
        const project = random.pick(free);
        const path = `/v1/projects/${project.id}`;
        if (what < 0.8) return client.send({ method: "GET", path, key }, random);
        project.busy = true;
        const name = marker("change");
        if (what < 0.95) {
          const body = { description: name };
          apply(project, body, await client.write(random, name, { method: "PATCH", path, key, body }));
        } else {
          const change = { archived: true };
          apply(project, change, await client.write(random, name, { method: "DELETE", path, key }));
        }
      },

      async check() {
        for (const { project, change, call } of uncertain.splice(0)) apply(project, change, call);
        const rows = await installation.database.db
          .select()
          .from(table)
          .where(eq(table.accountId, accountId));
        const found = new Map(rows.map((row) => [row.id, row]));
        const changed = known.flatMap(({ id, description, archived }) => {
          const row = found.get(id);
          const is = [row?.description, row?.archivedAt !== null];
          const due = [description, archived];
          if (JSON.stringify(is) === JSON.stringify(due)) return [];
          return [`Project ${id} has ${JSON.stringify(is)}; the last change left ${JSON.stringify(due)}.`];
        });
        const delivered = endpoint.about(accountId, ({ data }) => data.project?.id);
        const projectOf = (call: Call) => call.answer.project.id;
        return [
          ...checkMadeOnce(
            made,
            rows.map(({ name, id }) => ({ marker: name, id })),
            projectOf,
          ),
          ...changed,
          ...known.flatMap(({ id, events }) => checkEvents(id, delivered.get(id), events)),
          ...[...delivered.keys()]
            .filter((id) => id && !found.has(id))
            .map((id) => `Events tell of ${id}, which was never made.`),
        ];
      },
    };
  },
});
