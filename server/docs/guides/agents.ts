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
        "Create a run of `managed-agents` / `respond`. By default the agent has the actions of the key that only read. The result has the model's last words as `output`, what it did as `steps`, its tokens as `usage`, and a `finishReason`.",
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
        "Every tool is an action that the key may use at that time, called as the key: scopes, access, limits, credits and audit are those of a direct call. What answers a secret is no tool.",
        "What changes something waits for a person: the run is `awaiting_approval`, the approval shows the exact call, and a rejection is reported to the model. `approveWrites: false` does without.",
        "With `write_artifact` it leaves files, as [artifacts](/docs/artifacts.list) of its run. It has it unless `tools` names others only, and asks nobody: nothing that stood before changes.",
        "A tool that is refused is an error that the model can act on. A key that is revoked ends the run.",
        "What tools answer is handed to the model as data, apart from your instructions. Give an agent that reads what others wrote no action that you would not let them ask for.",
      ]),
      heading("What it costs"),
      paragraph(
        "Each thousand tokens begun costs the price of `/pricing`, whose maximum is held when the run is created. Tools are charged as their own calls are. `maxCredits` bounds both together: a call that might pass it is not made. A run that fails is charged nothing for its tokens.",
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
