import { createServer, type IncomingHttpHeaders } from "node:http";
import { Webhook } from "standardwebhooks";

/** An operation's response: its result, and the charge if its price is not exact. */
interface Answer {
  status?: number;
  body: unknown;
  credits?: number;
}

type Operation = (input: never, context: { endUser: string | null }) => Answer;

const reservations = new Map<string, { id: string; item: string; quantity: number }>();

const operations: Record<string, Operation> = {
  greet: ({ name }: { name: string }, { endUser }) => ({
    body: { greeting: `Hello, ${name}${endUser === null ? "" : ` (${endUser})`}.` },
  }),

  // Charged by the word, up to the maximum in the manifest.
  count: ({ text }: { text: string }) => {
    const words = text.split(/\s+/).filter(Boolean).length;
    return { body: { words }, credits: words };
  },

  reserve: ({ item, quantity }: { item: string; quantity: number }) => {
    if (quantity > 100)
      return { status: 409, body: { error: { message: `No ${quantity} of ${item} are left.` } } };
    const reservation = { id: `reservation-${reservations.size + 1}`, item, quantity };
    reservations.set(reservation.id, reservation);
    return { body: reservation };
  },

  cancel: ({ id }: { id: string }) => ({ body: { cancelled: reservations.delete(id) } }),
};

/** Responses by idempotency key: a repeated call executes once. */
const given = new Map<string, Answer>();

function answer(webhook: Webhook, path: string, body: string, headers: IncomingHttpHeaders): Answer {
  try {
    webhook.verify(body, headers as Record<string, string>);
  } catch {
    return { status: 401, body: { error: { message: "The signature is wrong or too old." } } };
  }
  const { operationId, input, context } = JSON.parse(body);
  const operation = path === `/${operationId}` ? operations[operationId] : undefined;
  if (!operation) return { status: 404, body: { error: { message: `No operation ${operationId}.` } } };
  const key = String(headers["idempotency-key"]);
  const answer = given.get(key) ?? operation(input as never, context);
  given.set(key, answer);
  return answer;
}

/** Creates a service as an operator would add it with `SERVICES_FILE`. */
export function createExampleService(signingSecret: string) {
  const webhook = new Webhook(signingSecret);
  return createServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    const { status = 200, body: result, credits } = answer(webhook, request.url ?? "", body, request.headers);
    response.writeHead(status, {
      "content-type": "application/json",
      "x-request-id": `example-${request.headers["x-request-id"]}`,
      ...(credits !== undefined && { "x-service-credits-charged": String(credits) }),
    });
    response.end(JSON.stringify(result));
  });
}

if (import.meta.main) {
  const { SIGNING_SECRET = "", PORT = "4000" } = process.env;
  createExampleService(SIGNING_SECRET).listen(Number(PORT));
}
