import { z } from "zod";
import { titleOf } from "#server/catalogue/action-text.ts";
import { operation } from "#server/operation/operation.ts";
import { modelUnavailability } from "./choose-model.ts";
import { allowedTools, readsOnly, selectedTools } from "./tools.ts";
import { WRITE_ARTIFACT } from "./write-artifact.ts";

export const listAgentTools = operation({
  id: "agents.listTools",
  method: "GET",
  path: "/agents/tools",
  summary: "List the tools for agents",
  description:
    "Lists the actions that an agent of the caller may use now, and whether the platform has a model.",
  scope: "services:read",
  surfaces: ["console"],
  output: z.object({
    unavailable: z.string().nullable().describe("Why the platform has no model; null if it has one."),
    tools: z
      .array(
        z.object({
          selector: z.string().describe("The selector for `tools`."),
          title: z.string().describe("What the action does."),
          readOnly: z.boolean().describe("True if the action changes no existing data."),
          maximumCredits: z.int().describe("The maximum price of a call, in credits."),
        }),
      )
      .describe("The actions, except those that return secrets."),
  }),

  async handler({ caller, db }) {
    const tools = await allowedTools(db, caller, selectedTools(["*"]));
    const actions = tools.map(({ action }) => ({
      selector: action.operation,
      title: titleOf(action),
      readOnly: readsOnly(action),
      maximumCredits: action.question?.credits ?? 0,
    }));
    const own = { selector: WRITE_ARTIFACT, title: "Write an artifact", readOnly: true, maximumCredits: 0 };
    return { unavailable: modelUnavailability(), tools: [own, ...actions] };
  },
});
