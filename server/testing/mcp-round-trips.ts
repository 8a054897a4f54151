import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";

const codec = createRequestStateCodec<{ round: number }>({
  key: "no secret, but of thirty-two bytes or more",
});

/** Refuses a state that was tampered with; passed to the server, which checks it before any tool gets it. */
export const requestState = { verify: codec.verify };

type Step = (context: ServerContext) => Promise<CallToolResult | InputRequiredResult>;

const Name = z.object({ name: z.string() });
const Color = z.object({ color: z.string() });
const Confirmation = z.object({ ok: z.boolean() });
const Envelope = z.object({ [CLIENT_CAPABILITIES_META_KEY]: z.record(z.string(), z.unknown()) });
const PromptContext = z.object({ context: z.string() });

const done = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });
const asked = (requestedSchema: z.ZodObject) =>
  inputRequired.elicit({ message: "Tell me.", requestedSchema });
const sampled = inputRequired.createMessage({
  messages: [{ role: "user", content: { type: "text", text: "What is the capital of France?" } }],
  maxTokens: 100,
});

const TOOLS: Record<string, Step> = {
  async test_input_required_result_elicitation({ mcpReq }) {
    const name = acceptedContent(mcpReq.inputResponses, "user_name", Name);
    return name ? done(`Hello, ${name.name}!`) : inputRequired({ inputRequests: { user_name: asked(Name) } });
  },
  async test_input_required_result_sampling({ mcpReq }) {
    const answer = inputResponse(mcpReq.inputResponses, "capital_question");
    return answer.kind === "sampling"
      ? done(JSON.stringify(answer.result.content))
      : inputRequired({ inputRequests: { capital_question: sampled } });
  },
  async test_input_required_result_list_roots({ mcpReq }) {
    const answer = inputResponse(mcpReq.inputResponses, "client_roots");
    return answer.kind === "roots"
      ? done(answer.roots.map((root) => root.uri).join(" "))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  async test_input_required_result_multiple_inputs({ mcpReq }) {
    if (mcpReq.requestState()) return done("All three.");
    return inputRequired({
      inputRequests: {
        user_name: asked(Name),
        greeting: sampled,
        client_roots: inputRequired.listRoots(),
      },
      requestState: await codec.mint({ round: 1 }),
    });
  },
  async test_input_required_result_multi_round({ mcpReq }) {
    const round = (mcpReq.requestState<{ round: number }>()?.round ?? 0) + 1;
    if (round === 3) return done("Three rounds.");
    const inputRequests = { [`step${round}`]: asked(round === 1 ? Name : Color) };
    return inputRequired({ inputRequests, requestState: await codec.mint({ round }) });
  },
  async test_input_required_result_capabilities({ mcpReq }) {
    const { [CLIENT_CAPABILITIES_META_KEY]: able } = Envelope.parse(mcpReq.envelope);
    return inputRequired({
      inputRequests: {
        ...(able.sampling !== undefined && { greeting: sampled }),
        ...(able.elicitation !== undefined && { user_name: asked(Name) }),
      },
    });
  },
  async test_missing_capability() {
    return inputRequired({ inputRequests: { greeting: sampled } });
  },
  async test_streaming_elicitation() {
    return inputRequired({ inputRequests: { user_name: asked(Name) } });
  },
};

async function confirmed({ mcpReq }: ServerContext): Promise<CallToolResult | InputRequiredResult> {
  if (mcpReq.requestState()) return done("state-ok");
  return inputRequired({
    inputRequests: { confirm: asked(Confirmation) },
    requestState: await codec.mint({ round: 1 }),
  });
}

/** Tools and a prompt that request input from the client and are called again with it (2026-07-28). */
export function addRoundTrips(server: McpServer): void {
  for (const [name, step] of Object.entries(TOOLS)) {
    server.registerTool(name, { description: "Asks back.", inputSchema: z.object({}) }, (_, context) =>
      step(context),
    );
  }
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "Asks back.", argsSchema: z.object({}) },
    (_, { mcpReq }) => {
      const answer = acceptedContent(
        mcpReq.inputResponses,
        "user_context",
        z.object({ context: z.string() }),
      );
      if (!answer) return inputRequired({ inputRequests: { user_context: asked(PromptContext) } });
      return { messages: [{ role: "user", content: { type: "text", text: answer.context } }] };
    },
  );
}
