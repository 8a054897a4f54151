import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { Respond, Response } from "./schema.ts";
import { selectorIssues } from "./tools.ts";

export const respond = capability({
  id: "respond",
  title: "Run an agent",
  description:
    "A language model works on the input with the actions that the key may use, within bounds of steps, tokens and credits. A thousand tokens cost the price, rounded up; a model of one's own, named by a connection, costs nothing. Its tools are charged as their own calls are.",
  input: Respond,
  output: Response,
  modes: ["run"],
  readOnly: false,
  destructive: false,
  requiresApproval: false,
  price: priceOf("managed-agents", "respond"),
  check: ({ tools }) => selectorIssues(tools),
});
