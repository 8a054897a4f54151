import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { sourceFolder } from "#server/base/source-folder.ts";
import { code, heading, list, type Page, paragraph, shell } from "../page.ts";

const Manifest = z.object({ dependencies: z.record(z.string(), z.string()) });
const read = (name: string) => readFileSync(join(sourceFolder(), "clients/examples/agent", name), "utf8");

/** Returns the guide to the example agent: its program, and the output from its test. */
export function agentFromNothingPage(baseUrl: string): Page {
  const { dependencies } = Manifest.parse(JSON.parse(read("package.json")));
  const packages = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
  return {
    path: "/docs/agent-from-nothing",
    title: "An agent from nothing",
    lead: "Your own agent knows only this address: people give it access when it needs it, and it pays for itself.",
    blocks: [
      heading("What it does"),
      list([
        "It registers itself, and a person [signs it in](/docs/connect-an-app) with read-only access.",
        "Its model calls a [tool](/docs/mcp). If a scope is missing, the agent requests it, then repeats the call with the same `idempotencyKey`.",
        "If credits are missing, it [buys some](/docs/top-up) with a wallet of the account, never for more than its configured limit.",
        "The [workflow](/docs/workflows) that it starts waits for [an approval](/docs/approvals) by a person other than the one who signed it in; the agent follows it to its end.",
        "Finally, it shows the signed receipt of its payment.",
      ]),
      heading("Run it"),
      paragraph(
        "You need Node.js 24, the program below as `agent.ts`, and a model behind any endpoint that supports OpenAI's chat completions. The account needs a [wallet](/docs/wallets.create) whose policy allows signing typed data, and which holds the stablecoin for buying credits.",
      ),
      shell(`npm init -y && npm pkg set type=module
npm install ${baseUrl}/clients/sdk.tgz ${packages.join(" ")}
export MODEL_BASE_URL=https://models.example.com/v1 MODEL_NAME=large MODEL_API_KEY=…
node agent.ts ${baseUrl} "Prepare a welcome for Ada, and have somebody look at it before it is kept."`),
      heading("Its output"),
      paragraph("Lines that begin with `#` describe the actions of people in their browsers."),
      code("text", read("transcript.txt").replaceAll("http://platform.test", baseUrl).trimEnd()),
      heading("The program"),
      paragraph(
        "The sign-in is kept in memory. An agent that runs again stores `client` and `tokens` where only it can read them.",
      ),
      code("ts", read("agent.ts").trimEnd()),
    ],
  };
}
