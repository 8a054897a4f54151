import { createTransport, type HttpTransport, RpcRequestError, stringify } from "viem";
import { batched } from "#server/base/batch.ts";
import { defined } from "#server/base/defined.ts";
import { OutboundError } from "../http/outbound-error.ts";
import { safeFetch } from "../http/safe-fetch.ts";
import { ChainUnavailable, statusFault, unavailabilityOf } from "./unavailable.ts";

/** Shorter than a call's limit, so that a silent node fails the call in time. */
const TIMEOUT_MS = 3500;
/** The time limit while the node is silent. */
const AGAIN_MS = 1000;
/** How long the node's chain id is trusted before it is read again. */
const BELIEVED_MS = 30_000;
/** The maximum number of calls in one request; providers allow a hundred and more. */
const MAX_CALLS = 50;
/** The maximum number of waiting calls; further ones are refused at once. */
const MAX_WAITING = 2000;
/**
 * Methods that make the node execute contracts of a customer's choice, which may take long: no other call waits for
 * them.
 */
const APART: ReadonlySet<string> = new Set(["eth_simulateV1"]);
const MAX_APART = 4;
const MAX_WAITING_APART = 16;

interface Call {
  method: string;
  params?: unknown;
}

/** A node's response to a call. */
interface RpcResponse {
  id: number;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/** Returns the function that posts JSON to the node and returns its JSON response. */
function postTo(rpcUrl: string, network: string): (body: unknown) => Promise<unknown> {
  const url = new URL(rpcUrl);
  const { username, password } = url;
  url.username = url.password = "";
  const credential = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    ...(username && { authorization: `Basic ${credential.toString("base64")}` }),
  };
  let isSilent = false;

  async function post(body: unknown) {
    const timeoutMs = isSilent ? AGAIN_MS : TIMEOUT_MS;
    const sent = { method: "POST", headers, body: stringify(body), timeoutMs } as const;
    try {
      const answer = await safeFetch(url, { ...sent, trusted: true });
      const text = await answer.text();
      isSilent = false;
      return { answer, text };
    } catch (reason) {
      isSilent = reason instanceof OutboundError && reason.reason === "timeout";
      throw reason;
    }
  }

  return async (body) => {
    const { answer, text } = await post(body);
    if (answer.status < 300) return JSON.parse(text);
    // Some nodes refuse a call with an HTTP error status, too.
    const refused = attempt(() => JSON.parse(text) as Partial<RpcResponse>);
    if (typeof refused?.error?.code === "number") return refused;
    throw statusFault(network, answer.status, answer.headers["retry-after"]);
  };
}

function attempt<Result>(parse: () => Result): Result | null {
  try {
    return parse();
  } catch {
    return null;
  }
}

type Ask = (call: Call) => Promise<unknown>;

/**
 * Returns the functions that call a node; concurrent calls share one request, since most of a request's cost is not the
 * call in it. `askAlone` waits for no other call, and no other call waits for `askApart`.
 */
function callsTo(
  rpcUrl: string,
  network: string,
  named: string,
): Record<"ask" | "askAlone" | "askApart", Ask> {
  let ids = 0;
  const post = postTo(rpcUrl, network);
  // A slow call of these does not mean that the node is silent.
  const postApart = postTo(rpcUrl, network);

  async function askAll(calls: Call[], by = post): Promise<RpcResponse[]> {
    const numbered = calls.map((call) => ({ jsonrpc: "2.0" as const, id: ++ids, ...call }));
    const [only] = numbered;
    // A single call is sent without a list: not every node supports batches.
    if (numbered.length === 1 && only) return [(await by(only)) as RpcResponse];
    const answers = (await by(numbered)) as RpcResponse | RpcResponse[];
    // A batch that is refused as a whole is refused for each call.
    if (!Array.isArray(answers)) return calls.map(() => answers);
    const byId = new Map(answers.map((answer) => [Number(answer.id), answer]));
    return numbered.map(({ id }) => defined(byId.get(id)));
  }

  const inTurn = batched((calls: Call[]) => askAll(calls), {
    inFlight: 100,
    size: MAX_CALLS,
    most: MAX_WAITING,
  });
  const apart = batched((calls: Call[]) => askAll(calls, postApart), {
    inFlight: MAX_APART,
    size: 1,
    most: MAX_WAITING_APART,
  });
  function resultOf(call: Call, { error, result }: RpcResponse): unknown {
    if (error) throw new RpcRequestError({ body: { ...call }, error, url: named });
    return result;
  }
  return {
    ask: async (call) => resultOf(call, await inTurn(call)),
    askAlone: async (call) => resultOf(call, defined((await askAll([call]))[0])),
    askApart: async (call) => resultOf(call, await apart(call)),
  };
}

/**
 * A JSON-RPC transport that verifies the node's chain id first and throws `ChainUnavailable` for every failure of the
 * node.
 */
export function nodeTransport(chainId: number, rpcUrl: string): HttpTransport {
  const network = `eip155:${chainId}`;
  // viem puts the address into its errors, and a node's address often holds a key.
  const named = `https://${chainId}.eip155.invalid`;
  const { ask, askAlone, askApart } = callsTo(rpcUrl, network, named);
  let believedUntil = 0;
  let identifying: Promise<void> | undefined;

  async function request(call: Call, by: Ask): Promise<unknown> {
    try {
      const result = await by(call);
      if (result === undefined) throw new TypeError("The node's answer has neither a result nor an error.");
      return result;
    } catch (reason) {
      const fault = unavailabilityOf(network, reason);
      // After an outage the address may lead to another node.
      if (fault) believedUntil = 0;
      throw fault ?? reason;
    }
  }

  async function identify() {
    const answer = Number(await request({ method: "eth_chainId" }, askAlone));
    if (answer !== chainId)
      throw new ChainUnavailable(network, `has a node that says it is eip155:${answer}`);
    believedUntil = performance.now() + BELIEVED_MS;
  }

  /** Fails after `TIMEOUT_MS` also if the call has spent them waiting for others. */
  async function inTime(call: Call) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ChainUnavailable(network, "did not answer in time")), TIMEOUT_MS);
    });
    return Promise.race([identified(call), late]).finally(() => clearTimeout(timer));
  }

  async function identified(call: Call) {
    if (call.method !== "eth_chainId" && performance.now() > believedUntil) {
      identifying ??= identify().finally(() => {
        identifying = undefined;
      });
      await identifying;
    }
    return request(call, APART.has(call.method) ? askApart : ask);
  }

  return () =>
    createTransport(
      {
        key: "http",
        name: "HTTP JSON-RPC",
        type: "http",
        retryCount: 0,
        timeout: TIMEOUT_MS,
        request: inTime as never,
      },
      { url: named },
    ) as ReturnType<HttpTransport>;
}
