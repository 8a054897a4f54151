import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { sourceFolder } from "#server/source-folder.ts";
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
    lead: "An agent of your own that knows nothing but this address: people give it what it needs when it needs it, and it pays by itself.",
    blocks: [
      heading("What it does"),
      list([
        "It registers itself, and a person [signs it in](/docs/connect-an-app) with access that only reads.",
        "Its model calls a [tool](/docs/mcp). What is refused for a scope is asked for, then called again with the same `idempotencyKey`.",
        "Where credits are missing it [buys some](/docs/top-up) from a wallet of the account, never for more than it was set to.",
        "The [workflow](/docs/workflows) that it starts waits for [an approval](/docs/approvals) of somebody else than the person who signed it in; the agent follows it to its end.",
        "At last it shows the signed receipt of what it paid.",
      ]),
      heading("Run it"),
      paragraph(
        "Node.js 24, the program below as `agent.ts`, and a model behind any endpoint that speaks OpenAI's chat completions. The account needs a [wallet](/docs/wallets.create) whose policy lets it sign typed data, with the stablecoin that credits are bought with.",
      ),
      shell(`npm init -y && npm pkg set type=module
npm install ${baseUrl}/clients/sdk.tgz ${packages.join(" ")}
export MODEL_BASE_URL=https://models.example.com/v1 MODEL_NAME=large MODEL_API_KEY=…
node agent.ts ${baseUrl} "Prepare a welcome for Ada, and have somebody look at it before it is kept."`),
      heading("What it shows"),
      paragraph("Lines that begin with `#` are what people did meanwhile, in their browsers."),
      code("text", read("transcript.txt").replaceAll("http://platform.test", baseUrl).trimEnd()),
      heading("The program"),
      paragraph(
        "The sign-in is kept in memory. An agent that runs again stores `client` and `tokens` where only it can read them.",
      ),
      code("ts", read("agent.ts").trimEnd()),
    ],
  };
}
