/** An agent that starts with only a platform's address and a task: `node agent.ts https://platform.example.com "…"`. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type Payment, Platform, type Run } from "@managed-services/sdk";
import { payFromWallet } from "@managed-services/sdk/x402";
import {
  auth,
  Client,
  InsufficientScopeError,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { dynamicTool, isStepCount, type JSONSchema7, jsonSchema, streamText } from "ai";

const [serverUrl = "", task = ""] = process.argv.slice(2);
const { MODEL_BASE_URL = "", MODEL_NAME = "", MODEL_API_KEY = "none" } = process.env;
/** Scopes that it requests besides those of a refused call: to call services, and to buy credits from a wallet. */
const TO_SPEND = "services:invoke credits:write wallets:read wallets:sign";
const TOP_UP_USD = 5;

// The sign-in: the browser returns to this server with a code.
const callback = createServer().listen(0, "127.0.0.1");
await once(callback, "listening");
const redirectUrl = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
const stored: { tokens?: OAuthTokens; expiresAt?: number; [name: string]: unknown } = {};
const load = (name: string) => () => stored[name] as never;
const save = (name: string) => (value: unknown) => {
  stored[name] = value;
};
const provider: OAuthClientProvider = {
  redirectUrl,
  clientMetadata: {
    client_name: "Welcome agent",
    redirect_uris: [redirectUrl],
    token_endpoint_auth_method: "none",
  },
  state() {
    stored.state = crypto.randomUUID();
    return stored.state as string;
  },
  clientInformation: load("client"),
  saveClientInformation: save("client"),
  codeVerifier: load("verifier"),
  saveCodeVerifier: save("verifier"),
  discoveryState: load("discovery"),
  saveDiscoveryState: save("discovery"),
  tokens: load("tokens"),
  saveTokens(tokens) {
    Object.assign(stored, { tokens, expiresAt: Date.now() + 1000 * (tokens.expires_in ?? 3600) });
  },
  redirectToAuthorization: (address) => console.log(`Open ${address}`),
};

/** Asks a person for these scopes, or for those that the platform suggests. */
async function signIn(scope?: string) {
  const answered = once(callback, "request") as Promise<[IncomingMessage, ServerResponse]>;
  await auth(provider, { serverUrl, forceReauthorization: true, ...(scope && { scope }) });
  const [{ url = "" }, page] = await answered;
  page.end("You can close this window.");
  const got = Object.fromEntries(new URL(url, redirectUrl).searchParams);
  if (!got.code || got.state !== stored.state) throw new Error(`Not allowed: ${got.error ?? url}`);
  await auth(provider, { serverUrl, authorizationCode: got.code, ...(got.iss && { iss: got.iss }) });
  console.log(`Signed in for ${stored.tokens?.scope}`);
}

let refresh: ReturnType<typeof auth> | undefined;
/** Returns an access token: a new one from a minute before the last one expires, for all calls that need it. */
async function token() {
  if (Date.now() > (stored.expiresAt ?? 0) - 60_000)
    refresh ??= auth(provider, { serverUrl }).finally(() => {
      refresh = undefined;
    });
  if ((await refresh) === "REDIRECT") throw new Error("The access has ended.");
  return stored.tokens?.access_token ?? "";
}
await signIn();
const client = new Client({ name: "welcome-agent", version: "1" }, { versionNegotiation: { mode: "auto" } });
const authProvider = { token };
await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", serverUrl), { authProvider }));

const payment: Payment = async (asked) => {
  const [wallet] = (await platform.wallets.list()).items;
  if (!wallet) throw new Error("The account has no wallet to pay from.");
  console.log(`Pays from the wallet ${wallet.label}`);
  return payFromWallet(platform, wallet.id, { maxUsd: TOP_UP_USD })(asked);
};
const platform = new Platform({ apiKey: token, baseUrl: serverUrl, payment });
const receipts: string[] = [];

async function buyCredits() {
  const bought = await platform.credits.x402.topUp({ amountUsd: TOP_UP_USD });
  console.log(`Bought ${bought.creditedCredits} credits for ${bought.creditedUsd} USD`);
  receipts.push(`${serverUrl}/receipts/${bought.receiptId}`);
}

/** Follows a run to its end, which may take long if people have to approve. */
async function finish({ id }: Run) {
  let approvalId: unknown;
  for await (const { type, step, message, data } of platform.runs.follow(id)) {
    console.log(`  ${step ?? type}: ${message}`);
    approvalId = data?.approvalId ?? approvalId;
    if (data?.status === "awaiting_approval") console.log(`Decide at ${serverUrl}/approvals/${approvalId}`);
  }
  const { status, result, error } = await platform.runs.read(id);
  return { status, result, error };
}

/** Calls a tool. If a scope or payment is missing, obtains it once and repeats exactly the same call. */
async function callTool(name: string, args: unknown): Promise<unknown> {
  console.log(`Calls ${name}`);
  try {
    const { structuredContent } = await client.callTool({ name, arguments: args as Record<string, unknown> });
    const answer = structuredContent as { run?: Run; error?: { code: string; message: string } };
    if (answer.error) console.log(`Refused with ${answer.error.code}: ${answer.error.message}`);
    if (answer.error?.code === "insufficient_credits" && receipts.length === 0) {
      await buyCredits();
      return callTool(name, args);
    }
    return answer.run ? await finish(answer.run) : answer;
  } catch (reason) {
    if (!(reason instanceof InsufficientScopeError)) throw reason;
    console.log(`Refused: ${reason.errorDescription}`);
    await signIn(`${reason.requiredScope} ${TO_SPEND}`);
    return callTool(name, args);
  }
}

const { tools } = await client.listTools();
const offered = tools.map(({ name, description = "", inputSchema: schema }) => {
  const inputSchema = jsonSchema(schema as JSONSchema7);
  return [name, dynamicTool({ description, inputSchema, execute: (args) => callTool(name, args) })] as const;
});
const models = createOpenAICompatible({ name: "model", baseURL: MODEL_BASE_URL, apiKey: MODEL_API_KEY });
const { text } = streamText({
  model: models.chatModel(MODEL_NAME),
  prompt: task,
  tools: Object.fromEntries(offered),
  stopWhen: isStepCount(20),
});
console.log(await text);
for (const address of receipts) {
  const { receipt } = await (await fetch(address)).json();
  console.log(`Receipt ${address}: ${receipt.creditedUsd} USD by ${receipt.payment.transactionHash}`);
}
await client.close();
callback.close();
