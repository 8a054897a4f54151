import { z } from "zod";
import { reachedServices } from "#server/catalogue/queries.ts";
import { EVENT_ENTRIES } from "#server/events/catalogue.ts";
import { operation } from "#server/operation/operation.ts";
import { capabilitiesOf } from "#server/services/capabilities.ts";
import { find, findIds } from "./find.ts";
import { ranked } from "./rank.ts";
import { Found } from "./schema.ts";
import { exactly, termOf } from "./term.ts";

const MAX_IDS = 100;

export const listFound = operation({
  id: "search.list",
  method: "GET",
  path: "/search",
  surfaces: ["console"],
  summary: "List search results",
  description:
    "Finds resources of the account by a part of their name or id, a request's id, a part of a transaction's hash, an address or the first characters of a key's secret, of the kinds that the person's role may read; and events by a part of their name. The newest 500 of each kind are searched, and up to 20 older ones that contain the text. The middle of an id is found in every project, key, wallet, contact, webhook, connection and workflow, and in the newest 500 of other kinds; the last six characters find all of them, too; ids of deliveries, of audit events and of entries of the ledger are found whole or by their beginning. Within a project, end users of the whole account are found, since they belong to no project.",
  scope: null,
  people: "members",
  query: z.object({
    query: z
      .string()
      .trim()
      .max(200, "At most 200 characters.")
      .optional()
      .describe("The text to search for."),
    ids: z
      .string()
      .max(5000)
      .optional()
      .describe("Comma-separated ids of resources to return; unknown ids are ignored."),
  }),
  output: z.object({
    found: z.array(Found).describe("The resources, best match first; for `ids`, in their order."),
  }),

  async handler({ query: { query = "", ids = "" }, caller, db }) {
    const ranges = ids.split(",", MAX_IDS).flatMap((id) => exactly(id) ?? []);
    const named = ranges.length > 0 ? await findIds(db, caller, ranges) : [];
    if (query === "") return { found: named };
    const services = caller.scopes.includes("services:read") ? await reachedServices(db, caller) : [];
    const offered = services.flatMap((service): Found[] => [
      { kind: "service", id: service.id, label: service.name, detail: service.id, parentId: null },
      ...capabilitiesOf(service)
        .filter(({ modes }) => modes.length > 0)
        .map(({ id, title }) => ({
          kind: "capability" as const,
          id,
          label: title,
          detail: `${service.id} ${id}`,
          parentId: service.id,
        })),
    ]);
    const wanted = query.toLowerCase();
    const events = EVENT_ENTRIES.filter(([type]) => type.includes(wanted)).map(
      ([type, { description }]): Found => ({
        kind: "event",
        id: type,
        label: type,
        detail: description,
        parentId: null,
      }),
    );
    const fitting = offered.filter(({ label, detail }) =>
      `${label} ${detail}`.toLowerCase().includes(wanted),
    );
    return {
      found: [
        ...named,
        ...ranked([...(await find(db, caller, termOf(query))), ...fitting, ...events], query),
      ],
    };
  },
});
