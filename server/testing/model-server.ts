import { createServer, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { portOf } from "#server/boot/processes.ts";
import type { startApi } from "./api.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** A request to the endpoint, in the form that tests compare. */
export interface Asked {
  authorization: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body by looking into it.
  body: any;
}

/**
 * A scripted response: `text` may come in parts, with waits between them; `arguments` may be invalid JSON; `hang` never
 * ends, `cut` breaks off, `status` refuses, `until` is awaited after the text.
 */
export interface Scripted {
  text?: string | readonly (string | Promise<unknown>)[];
  toolCalls?: { name: string; arguments: unknown }[];
  usage?: { prompt: number; completion: number } | null;
  finish?: string;
  status?: number;
  headers?: Record<string, string>;
  error?: string;
  hang?: boolean;
  cut?: boolean;
  until?: Promise<unknown>;
}

/**
 * Starts an HTTP server that lists no models and streams OpenAI's chat completions, until it is stopped. `script` returns the response to
 * each request, the first being number 0.
 */
export async function startModelServer(script: (asked: Asked, nth: number) => Scripted) {
  const asked: Asked[] = [];
  let underWay = 0;
  const server = createServer(async (request, response) => {
    underWay += 1;
    response.once("close", () => {
      underWay -= 1;
    });
    const chunks = await request.toArray();
    if (request.method === "GET" && request.url === "/v1/models")
      return void response
        .writeHead(200, { "content-type": "application/json" })
        .end('{"object":"list","data":[]}');
    const one = {
      authorization: request.headers.authorization,
      body: JSON.parse(Buffer.concat(chunks).toString()),
    };
    const nth = asked.push(one) - 1;
    await answer(response, request.url === "/v1/chat/completions" ? script(one, nth) : { status: 404 }, nth);
  });
  const listen = (port: number) =>
    new Promise<number>((resolve) => server.listen(port, "127.0.0.1", () => resolve(portOf(server))));
  const stop = async () => {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    // Until clients have noticed that their idle connections are closed.
    await sleep(50);
  };
  const port = await listen(0);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    /** Returns the number of responses that have neither ended nor lost their connection. */
    underWay: () => underWay,
    stop,
    start: () => listen(port),
  };
}

async function answer(response: ServerResponse, scripted: Scripted, nth: number) {
  const { text = "", toolCalls = [], usage = { prompt: 10, completion: 5 }, finish, status } = scripted;
  if (status !== undefined) {
    response.writeHead(status, { "content-type": "application/json", ...scripted.headers });
    response.end(JSON.stringify({ error: { message: scripted.error ?? "Refused.", type: "test" } }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (choice: unknown, more = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: `chat-${nth}`, object: "chat.completion.chunk", created: 1, model: "test", choices: choice ? [choice] : [], ...more })}\n\n`,
    );
  send({ index: 0, delta: { role: "assistant", content: "" } });
  if (scripted.hang) return;
  for (const part of [text].flat()) {
    if (typeof part !== "string") {
      await part;
      continue;
    }
    const size = Math.max(7, Math.ceil(part.length / 100));
    for (let at = 0; at < part.length; at += size)
      send({ index: 0, delta: { content: part.slice(at, at + size) } });
  }
  for (const [index, call] of toolCalls.entries()) {
    const json = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
    const id = `call-${nth}-${index}`;
    send({
      index: 0,
      delta: {
        tool_calls: [{ index, id, type: "function", function: { name: call.name, arguments: "" } }],
      },
    });
    const piece = Math.max(9, Math.ceil(json.length / 100));
    for (let at = 0; at < json.length; at += piece)
      send({
        index: 0,
        delta: { tool_calls: [{ index, function: { arguments: json.slice(at, at + piece) } }] },
      });
  }
  await scripted.until;
  if (scripted.cut) return void response.destroy();
  send({ index: 0, delta: {}, finish_reason: finish ?? (toolCalls.length > 0 ? "tool_calls" : "stop") });
  if (usage)
    send(null, {
      usage: {
        prompt_tokens: usage.prompt,
        completion_tokens: usage.completion,
        total_tokens: usage.prompt + usage.completion,
      },
    });
  response.end("data: [DONE]\n\n");
}

/** Creates a connection to a model's endpoint; returns its id. */
export async function connectModel(api: Api, key: string, baseUrl: string): Promise<string> {
  const body = {
    label: "Our model",
    provider: "openai",
    authType: "bearer",
    secret: "sk-own",
    allowedHosts: [new URL(baseUrl).host],
    metadata: { baseUrl, model: "own" },
  };
  const { connection } = await api.mustSend(201, "POST", "/v1/connections", { key, body });
  return connection.id;
}
