import { AGENT_LIMITS, Respond } from "#server/agents/schema.ts";
import { jsonSchemaOf } from "#server/operation/json-schema.ts";
import { heading, list, type Page, paragraph, samples, table } from "../page.ts";
import { connect } from "./sdk.ts";

/** Returns the guide to agents; its tables are generated from the input schema. */
export function agentsPage(baseUrl: string): Page {
  return {
    path: "/docs/agents",
    title: "Agents",
    lead: "A language model works on a task with the actions that your key may use, within bounds that you set.",
    blocks: [
      heading("Running one"),
      paragraph(
        "Create a run of `managed-agents` / `respond`. By default the agent can use the key's read-only actions. The result contains the model's final text as `output`, its actions as `steps`, its tokens as `usage`, and a `finishReason`.",
      ),
      samples({
        sh: `curl -X POST "${baseUrl}/v1/runs" \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H "Idempotency-Key: $(uuidgen)" \\\n  -H "Content-Type: application/json" \\\n  -d '{ "serviceId": "managed-agents", "operationId": "respond",\n        "input": { "input": "Which project used the most credits this week?" } }'`,
        ts: `${connect(baseUrl)}
const run = await platform.runs.create({
  serviceId: "managed-agents",
  operationId: "respond",
  input: { input: "Which project used the most credits this week?" },
});
console.log((await platform.runs.wait(run.id)).result);`,
      }),
      table(["Field", "Meaning", "By default"], inputRows()),
      heading("What it may do"),
      list([
        "Every tool is an action that the key may use at that time, called as the key: scopes, access, limits, credits and audit are those of a direct call. Actions that return a secret are not tools.",
        "Actions that change something wait for a person: the run is `awaiting_approval`, the approval shows the exact call, and a rejection is reported to the model. `approveWrites: false` turns these approvals off.",
        "With `write_artifact` it writes files, which are [artifacts](/docs/artifacts.list) of its run. The tool is available unless `tools` names only others, and needs no approval: it changes no existing data.",
        "The model gets a refused tool call as an error that it can act on. Revoking the key ends the run.",
        "The model gets the results of tools as data, separate from your instructions. If an agent reads texts that others wrote, give it only actions that you would let those people request.",
      ]),
      heading("What it costs"),
      paragraph(
        "Each started thousand of tokens costs the price in `/pricing`, whose maximum is held when the run is created. Tools are charged like their direct calls. `maxCredits` limits the total of both: a call that might exceed it is not made. Used tokens are charged however the run ends.",
      ),
      heading("A model of your own"),
      paragraph(
        "[Make a connection](/docs/connections.create) to any endpoint that speaks OpenAI's chat completions, with `metadata.baseUrl` (else `https://<first allowed host>/v1`) and `metadata.model`, and name it as `connectionId`. Its tokens cost no credits, and it works where the platform has no model.",
      ),
      heading("Limits"),
      table(
        ["Limit", "At most"],
        Object.entries(AGENT_LIMITS).map(([name, most]) => [`\`${name}\``, most.toLocaleString("en")]),
      ),
    ],
  };
}

function inputRows(): string[][] {
  const { properties = {} } = jsonSchemaOf(Respond, { io: "input" });
  return Object.entries(properties).map(([name, { description = "", default: value }]) => [
    `\`${name}\``,
    String(description),
    value === undefined ? "" : `\`${JSON.stringify(value)}\``,
  ]);
}
