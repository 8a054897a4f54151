import type { ModelMessage } from "ai";
import { z } from "zod";
import { platform } from "#server/platform.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { createBudget } from "./budget.ts";
import { callModel } from "./call-model.ts";
import { callTools } from "./call-tools.ts";
import { chooseModel, modelIssues } from "./choose-model.ts";
import { answerMessage, resultsMessage, systemPrompt } from "./prompt.ts";
import { AgentResponse, type AgentStep, type FinishReason, Respond } from "./schema.ts";
import { allowedTools, offer, selectedTools, selectorIssues } from "./tools.ts";
import { mayWriteArtifacts, offerArtifacts } from "./write-artifact.ts";

const WithConnection = z.object({ connectionId: z.string() });

export const respond = capability({
  id: "respond",
  title: "Run an agent",
  description:
    "A language model works on the input with the actions that the key may use, within limits of steps, tokens and credits. The price is per thousand tokens, rounded up, and is charged however the run ends; your own model, named by a connection, costs nothing. Tool calls are charged like any call.",
  input: Respond,
  output: AgentResponse,
  modes: ["run"],
  readOnly: false,
  destructive: false,
  requiresApproval: false,
  price: priceOf("managed-agents", "respond"),
  usesConnection: true,
  connectionIn: (input) => WithConnection.safeParse(input).data?.connectionId,
  check: ({ tools, model }, { connectionId }) => [
    ...selectorIssues(tools),
    ...modelIssues(model, connectionId),
  ],

  nameOf: ({ input }) => input,

  async run(run) {
    const { input, instructions, tools: selectors, maxSteps, approveWrites } = run.input;
    const chosen = await chooseModel(run);
    const budget = createBudget({ ...run.input, ...chosen });
    const tools = selectedTools(selectors);
    const own = mayWriteArtifacts(selectors) ? [offerArtifacts()] : [];
    const messages: ModelMessage[] = [{ role: "user", content: input }];
    const steps: AgentStep[] = [];

    function finish(finishReason: FinishReason) {
      return { output: steps.at(-1)?.text ?? "", steps, usage: budget.used(), finishReason };
    }

    while (steps.length < maxSteps) {
      const room = budget.nextAnswer();
      if ("stop" in room) return finish(room.stop);
      const step = steps.length + 1;
      const answer = await callModel(run, `model ${step}`, { chosen, budget }, async () => ({
        instructions: systemPrompt(instructions),
        messages,
        tools: [
          ...own,
          ...(await allowedTools(platform().database.db, run.caller, tools)).map((tool) =>
            offer(tool, approveWrites),
          ),
        ],
        maxOutputTokens: room.maxOutputTokens,
      }));
      budget.use(answer.usage);
      const { text, toolCalls, usage, finishReason } = answer;
      const { inputTokens, outputTokens } = usage;
      await run.progress(
        step / (maxSteps + 1),
        `Model call ${step}: ${inputTokens} input tokens, ${outputTokens} output tokens, ${toolCalls.length === 1 ? "1 tool call" : `${toolCalls.length} tool calls`}.`,
      );
      if (toolCalls.length === 0) {
        steps.push({ text, toolCalls: [], usage });
        return finish(
          finishReason === "length" ? budget.cutBy() : finishReason === "tool_calls" ? "other" : finishReason,
        );
      }
      const used = await callTools({ run, own, tools, budget, approveWrites }, step, toolCalls);
      steps.push({ text, toolCalls: used.map(({ use }) => use), usage });
      const results = used.map(({ result }) => result);
      messages.push(answerMessage(step, answer), resultsMessage(step, answer, results));
    }
    return finish("max_steps");
  },
});
