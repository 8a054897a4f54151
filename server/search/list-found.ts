import { z } from "zod";
import { reachedServices } from "#server/catalogue/queries.ts";
import { operation } from "#server/operation/operation.ts";
import { capabilitiesOf } from "#server/services/capabilities.ts";
import { find, findIds } from "./find.ts";
import { ranked } from "./rank.ts";
import { Found } from "./schema.ts";
import { exactly, termOf } from "./term.ts";

const MOST_IDS = 100;

export const listFound = operation({
  id: "search.list",
  method: "GET",
  path: "/search",
  surfaces: ["console"],
  summary: "List what a search finds",
  description:
    "Things of the account by a part of their name, by their id or its beginning, by a request's id, a transaction's hash, an address or the first characters of a key's secret: of the kinds that the person's role may read. Of each kind all of the newest 500 are looked through, and 20 older ones that contain the text are found too.",
  scope: null,
  people: "members",
  query: z.object({
    query: z.string().trim().max(200, "At most 200 characters.").optional().describe("What to look for."),
    ids: z
      .string()
      .max(5000)
      .optional()
      .describe("The ids of things to name, with commas between them; what is missing is left out."),
  }),
  output: z.object({ found: z.array(Found).describe("The best first; of `ids`, in their order.") }),

  async handler({ query: { query = "", ids = "" }, caller, db }) {
    const ranges = ids.split(",", MOST_IDS).flatMap((id) => exactly(id) ?? []);
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
    const fitting = offered.filter(({ label, detail }) =>
      `${label} ${detail}`.toLowerCase().includes(wanted),
    );
    return { found: [...named, ...ranked([...(await find(db, caller, termOf(query))), ...fitting], query)] };
  },
});
