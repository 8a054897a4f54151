import { Platform } from "../../typescript/src/index.ts";
import { type Arguments, textOf } from "./arguments.ts";
import { changeProfile, type Profile, profileNames, readProfile } from "./credentials.ts";
import { environment } from "./environment.ts";
import { NotSignedInError, UsageError } from "./failure.ts";
import { refreshed, rootOf, USER_AGENT } from "./oauth.ts";

/** An access token that expires within this time is refreshed before it is sent. */
const EARLY_MS = 60_000;
/** Waits at most this long for an exhausted limit; a longer wait fails at once. */
const LONGEST_WAIT_MS = 5000;

/** The credential of a command, and the platform's address. */
export interface Session {
  platform: Platform;
  /** The platform's address, without `/v1`. */
  root: string;
  /** The origin of the credential, for messages. */
  source: string;
  /** Reads an address below `/v1` with the credential; returns the unread response. */
  read(path: string, signal: AbortSignal): Promise<Response>;
}

/** Returns the name of the command's profile. */
export const profileName = (given: Arguments) => textOf(given, "profile") ?? environment.profile ?? "default";

/** Returns the address given for this command; undefined if none was. */
export function givenRoot(given: Arguments): string | undefined {
  const address = textOf(given, "base-url") ?? environment.baseUrl;
  return address === undefined ? undefined : rootOf(address);
}

/**
 * Opens a session with the environment's credential, otherwise the profile's; with `optional`, possibly without any.
 */
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
    // A profile's tokens are only for its own installation.
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

/** Returns a profile's access token and refreshes it when needed, by one of this person's processes at a time. */
function tokensOf(name: string, first: Profile): Credential {
  let profile = first;

  async function refresh(): Promise<void> {
    const used = profile.accessToken;
    const changed = await changeProfile(name, async (stored) => {
      if (!stored) throw new NotSignedInError("The sign-in has ended. Run msp login.");
      // Another process has refreshed it meanwhile.
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

  /** Sends a call; if its token is refused before its expiry, sends it once more with a new token. */
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
