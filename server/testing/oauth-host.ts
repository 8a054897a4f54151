import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type { startApi } from "./api.ts";
import type { signUpAndIn } from "./console.ts";
import { GENERATIONS, type Generation } from "./mcp-client.ts";
import { CALLBACK, CHOICE } from "./oauth.ts";

type Api = Awaited<ReturnType<typeof startApi>>;
type Person = Pick<Awaited<ReturnType<typeof signUpAndIn>>, "mutate">;
export type Host = Awaited<ReturnType<typeof connectHost>>;

/** What a host stores for the stock client, and the address that it would open in the browser. */
function makeHost() {
  const stored: Record<string, unknown> = {};
  let visits = 0;
  const store = (name: string, value: unknown) => {
    stored[name] = value;
  };
  const kept = <Value>(name: string) =>
    [() => stored[name] as Value, (value: Value) => store(name, value)] as const;
  const [clientInformation, saveClientInformation] =
    kept<Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>>("client");
  const [tokens, saveTokens] = kept<Awaited<ReturnType<OAuthClientProvider["tokens"]>>>("tokens");
  const [codeVerifier, saveCodeVerifier] = kept<string>("verifier");
  const [discoveryState, saveDiscoveryState] =
    kept<Awaited<ReturnType<NonNullable<OAuthClientProvider["discoveryState"]>>>>("discovery");
  const provider = {
    redirectUrl: CALLBACK,
    clientMetadata: {
      client_name: "Host",
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: "none",
    },
    clientInformation,
    saveClientInformation,
    tokens,
    saveTokens,
    codeVerifier,
    saveCodeVerifier,
    discoveryState,
    saveDiscoveryState,
    invalidateCredentials: (scope: string) => {
      for (const name of Object.keys(stored)) if (scope === "all" || name === scope) delete stored[name];
    },
    redirectToAuthorization(address: URL) {
      store("address", address);
      visits += 1;
    },
  } as OAuthClientProvider;
  return { stored, provider, visits: () => visits };
}

/** A host with the stock client, connected by the URL alone, as a person does who has just entered it. */
export async function connectHost(api: Api, person: Person, generation: Generation) {
  const { stored, provider, visits } = makeHost();
  const url = new URL(`${api.origin}/mcp`);
  const makeTransport = () => new StreamableHTTPClientTransport(url, { authProvider: provider });
  const makeClient = () =>
    new Client({ name: "host", version: "1" }, { versionNegotiation: GENERATIONS[generation] });
  const asked = () => stored.address as URL;

  /** Has the person allow what the browser was last opened for. */
  async function allow(choice: Record<string, unknown> = {}, transport = connected) {
    const answer = await fetch(asked(), { redirect: "manual" });
    const requestId = new URL(answer.headers.get("location") as string).searchParams.get("request");
    const allowed = await person.mutate("apps.allow", { requestId, ...CHOICE, ...choice });
    if (allowed.status !== 200) throw new Error(JSON.stringify(allowed.error));
    await transport.finishAuth(new URL(allowed.data.redirectTo).searchParams);
  }

  const first = makeTransport();
  const refused = await makeClient()
    .connect(first)
    .catch((reason) => reason);
  if (!(refused instanceof UnauthorizedError)) throw new Error("The client was let in.", { cause: refused });
  const connected = makeTransport();
  await allow({}, first);
  const client = makeClient();
  await client.connect(connected);
  return { client, stored, asked, allow, visits };
}
