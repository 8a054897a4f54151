import { Platform } from "../../typescript/src/index.ts";
import { type Arguments, textOf } from "./arguments.ts";
import { changeProfile, type Profile, profileNames, readProfile } from "./credentials.ts";
import { environment } from "./environment.ts";
import { NotSignedInError, UsageError } from "./failure.ts";
import { refreshed, rootOf, USER_AGENT } from "./oauth.ts";

/** An access token that expires so soon is refreshed before it is sent. */
const EARLY_MS = 60_000;
/** A limit that is exhausted for longer is told at once. */
const LONGEST_WAIT_MS = 5000;

/** Who calls, and where. */
export interface Session {
  platform: Platform;
  /** The platform's address, without `/v1`. */
  root: string;
  /** Where the credential comes from. */
  source: string;
  /** Reads an address below `/v1` with the credential, as it is answered. */
  read(path: string, signal: AbortSignal): Promise<Response>;
}

/** The name of the profile that a command is for. */
export const profileName = (given: Arguments) => textOf(given, "profile") ?? environment.profile ?? "default";

/** The address that a person has given for this command; undefined where they have not. */
export function givenRoot(given: Arguments): string | undefined {
  const address = textOf(given, "base-url") ?? environment.baseUrl;
  return address === undefined ? undefined : rootOf(address);
}

/** The platform with the credential of the environment, else of the profile; `optional`: or with none. */
export async function openSession(given: Arguments, { optional = false } = {}): Promise<Session> {
  const common = {
    project: textOf(given, "project"),
    endUser: textOf(given, "for-end-user"),
    longestWaitMs: LONGEST_WAIT_MS,
  };
  const name = profileName(given);
  const address = givenRoot(given);
  const key = environment.apiKey;
  const profile = await readProfile(name);
  const root = address ?? profile?.baseUrl;
  if (root === undefined)
    throw new NotSignedInError(
      `Not signed in. Run msp login --base-url https://… ${await others(name)}`.trim(),
    );
  if (key !== undefined || !profile || profile.baseUrl !== root) {
    // A profile's tokens are for its own installation alone.
    if (key === undefined && !optional)
      throw new NotSignedInError(`Not signed in to ${root}. Run msp login, or set PLATFORM_API_KEY.`);
    if (key === undefined) return sessionOf(root, "none", common, null);
    return sessionOf(root, "PLATFORM_API_KEY", common, { current: async () => key, send: named });
  }
  return sessionOf(root, `profile ${name}`, common, tokensOf(name, profile));
}

interface Credential {
  current(): Promise<string>;
  send: typeof fetch;
}

function sessionOf(root: string, source: string, common: object, credential: Credential | null): Session {
  const send = credential?.send ?? named;
  return {
    platform: new Platform({ ...common, apiKey: credential?.current, baseUrl: root, fetch: send }),
    root,
    source,
    async read(path, signal) {
      const headers = new Headers();
      if (credential) headers.set("authorization", `Bearer ${await credential.current()}`);
      return send(`${root}/v1${path}`, { headers, signal });
    },
  };
}

async function others(name: string): Promise<string> {
  const names = (await profileNames()).filter((one) => one !== name);
  return names.length > 0 ? `Other profiles: ${names.join(", ")}.` : "";
}

const named: typeof fetch = (url, init) => fetch(url, withHeaders(init, {}));

function withHeaders(init: RequestInit | undefined, headers: Record<string, string>): RequestInit {
  const all = new Headers(init?.headers);
  for (const [name, value] of Object.entries({ "user-agent": USER_AGENT, ...headers })) all.set(name, value);
  return { ...init, headers: all };
}

/** A profile's access token, refreshed when it has to be, by one of this person's processes at a time. */
function tokensOf(name: string, first: Profile): Credential {
  let profile = first;

  async function refresh(): Promise<void> {
    const used = profile.accessToken;
    const changed = await changeProfile(name, async (stored) => {
      if (!stored) throw new NotSignedInError("The sign-in has ended. Run msp login.");
      // Another process was here meanwhile.
      return stored.accessToken === used ? refreshed(stored) : stored;
    });
    if (changed?.baseUrl !== profile.baseUrl)
      throw new UsageError("The profile was signed in elsewhere meanwhile. Run the command again.");
    profile = changed;
  }

  async function current(): Promise<string> {
    if (Date.parse(profile.expiresAt) - Date.now() < EARLY_MS) await refresh();
    return profile.accessToken;
  }

  /** Sends a call; one whose token was refused though it had time left is sent once more, with a new one. */
  const send: typeof fetch = async (url, init) => {
    const answer = await named(url, init);
    if (answer.status !== 401 || init?.body instanceof ReadableStream) return answer;
    const renewed = await refresh().then(
      () => true,
      () => false,
    );
    return renewed
      ? fetch(url, withHeaders(init, { authorization: `Bearer ${profile.accessToken}` }))
      : answer;
  };

  return { current, send };
}
