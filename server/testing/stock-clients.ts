import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import {
  type OAuthClientProvider as EarlierProvider,
  UnauthorizedError as EarlierUnauthorizedError,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { defined } from "#server/base/defined.ts";
import { GENERATIONS, type Generation } from "./mcp-client.ts";

type Provider = OAuthClientProvider & EarlierProvider;

const INFO = { name: "host", version: "1" };

/** The stock clients: the current package in both generations of the protocol, and the package before it. */
export const STOCK_CLIENTS = {
  "2025-11-25": currentClient("2025-11-25"),
  "2026-07-28": currentClient("2026-07-28"),
  "sdk 1.32.2": {
    Unauthorized: EarlierUnauthorizedError,
    open(url: URL, authProvider: Provider) {
      const transport = new EarlierTransport(url, { authProvider });
      const client = new EarlierClient(INFO);
      return {
        client,
        connect: () => client.connect(transport),
        finish: (answer: URLSearchParams) => transport.finishAuth(defined(answer.get("code"))),
      };
    },
  },
};

export type StockClient = keyof typeof STOCK_CLIENTS;

function currentClient(generation: Generation) {
  return {
    Unauthorized: UnauthorizedError,
    open(url: URL, authProvider: Provider) {
      const transport = new StreamableHTTPClientTransport(url, { authProvider });
      const client = new Client(INFO, { versionNegotiation: GENERATIONS[generation] });
      return {
        client,
        connect: () => client.connect(transport),
        finish: (answer: URLSearchParams) => transport.finishAuth(answer),
      };
    },
  };
}

/**
 * Returns a host's storage for a stock client, with the address that it would open in the browser. It sends no `state`.
 */
export function makeHost(redirectUrl: string) {
  // biome-ignore lint/suspicious/noExplicitAny: the two packages have types of their own for a host's stored state.
  const stored: Record<string, any> = {};
  let visits = 0;
  const load = (name: string) => () => stored[name];
  const save = (name: string) => (value: unknown) => {
    stored[name] = value;
  };
  const provider: Provider = {
    redirectUrl,
    clientMetadata: {
      client_name: "Host",
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: "none",
    },
    clientInformation: load("client"),
    saveClientInformation: save("client"),
    tokens: load("tokens"),
    saveTokens: save("tokens"),
    codeVerifier: load("verifier"),
    saveCodeVerifier: save("verifier"),
    discoveryState: load("discovery"),
    saveDiscoveryState: save("discovery"),
    invalidateCredentials: (scope) => {
      for (const name of Object.keys(stored)) if (scope === "all" || name === scope) delete stored[name];
    },
    redirectToAuthorization(address) {
      stored.address = address;
      visits += 1;
    },
  };
  return { stored, provider, asked: () => stored.address as URL, visits: () => visits };
}
