import { spawn } from "node:child_process";
import { hostname } from "node:os";
import { type Arguments, formatOf, textOf } from "../arguments.ts";
import { changeProfile, readProfile } from "../credentials.ts";
import { environment } from "../environment.ts";
import { NotSignedInError, UsageError } from "../failure.ts";
import { type DeviceCodes, revoke, signIn } from "../oauth.ts";
import { confirm } from "../operation.ts";
import { plainText, printOne, say } from "../output.ts";
import type { OwnCommand } from "../own-command.ts";
import { givenRoot, openSession, profileName } from "../session.ts";

/** Signs this computer in with a browser, here or on another device. */
export const login: OwnCommand = {
  words: [["login"]],
  usage: "[--base-url URL] [--scope SCOPE …]",
  summary: "Sign in by a browser",
  about: {
    "--scope SCOPE": "what to ask for, once for each; by default all but what moves money or decides",
    "--no-browser": "opens none: the address can be opened on another computer",
  },
  options: () => ({ scope: { type: "string", multiple: true }, "no-browser": { type: "boolean" } }),
  async run(given) {
    const name = profileName(given);
    const root = givenRoot(given) ?? (await readProfile(name))?.baseUrl;
    if (root === undefined) throw new UsageError("Name the installation: msp login --base-url https://…");
    const scopes = given.values.scope as string[] | undefined;
    const profile = await signIn(root, scopes?.join(" "), (codes) =>
      show(codes, given.values["no-browser"] === true),
    );
    await changeProfile(name, async (before) => ({
      ...profile,
      ...(before?.webhookSecret && { webhookSecret: before.webhookSecret }),
    }));
    if (environment.apiKey !== undefined)
      say("PLATFORM_API_KEY is set, and wins: unset it to call by this sign-in.");
    await printAccess(given);
  },
};

function show({ user_code, verification_uri, verification_uri_complete }: DeviceCodes, quiet: boolean): void {
  say(`Open ${verification_uri_complete}`);
  say(`or enter ${user_code} at ${verification_uri}, and allow what you choose.`);
  if (quiet || !process.stderr.isTTY || hostname() === "") return;
  const [program, ...before] = { darwin: ["open"], win32: ["rundll32", "url.dll,FileProtocolHandler"] }[
    process.platform as string
  ] ?? ["xdg-open"];
  // Without a browser here, the person opens the printed address elsewhere.
  const opened = spawn(program as string, [...before, verification_uri_complete], {
    stdio: "ignore",
    detached: true,
  });
  opened.on("error", () => {});
  opened.unref();
}

/** Signs out, here and at the platform. */
export const logout: OwnCommand = {
  words: [["logout"]],
  usage: "[--yes]",
  summary: "End the sign-in, and every key that was made with it",
  about: { "--yes": "does not ask" },
  options: () => ({ yes: { type: "boolean", short: "y" } }),
  async run(given) {
    const name = profileName(given);
    const profile = await readProfile(name);
    if (!profile) throw new NotSignedInError(`The profile ${name} is not signed in.`);
    const keys = await keysOf(given);
    const named = keys.length === 0 ? "" : `, and what was made with it: ${keys.map(plainText).join(", ")}`;
    await confirm(given, `End the sign-in to ${profile.baseUrl}${named}`);
    await changeProfile(name, async (stored) => {
      if (stored) await revoke(stored);
      return undefined;
    });
    say(`Signed out of ${profile.baseUrl}${named}.`);
  },
};

/** Returns the labels of the keys that the sign-in has created, which end with it; none if they cannot be read. */
async function keysOf(given: Arguments): Promise<string[]> {
  try {
    const { platform, source } = await openSession(given);
    const { apiKey } = await platform.apiKeys.current();
    if (source === "PLATFORM_API_KEY" || !apiKey.scopes.includes("api_keys:manage")) return [];
    const { items } = await platform.apiKeys.list({ parentId: apiKey.id, status: "active" });
    return items.map(({ label }) => label);
  } catch {
    return [];
  }
}

/** Shows the credential's account, key or person. */
export const whoami: OwnCommand = {
  words: [["whoami"]],
  usage: "",
  summary: "Show the account, the key and what it may do",
  options: () => ({}),
  run: printAccess,
};

async function printAccess(given: Arguments): Promise<void> {
  const { platform, root, source } = await openSession(given);
  const { apiKey, account } = await platform.apiKeys.current();
  const format = formatOf(given);
  if (format === "json") printOne({ baseUrl: root, source, apiKey, account }, format);
  else
    printOne(
      {
        installation: root,
        credential: source,
        account: `${account.name} (${account.id})`,
        key: `${apiKey.label} (${apiKey.id})`,
        scopes: apiKey.scopes.join(" "),
        project: apiKey.projectId ?? "all",
        until: apiKey.expiresAt,
      },
      format,
    );
  if (textOf(given, "project") !== undefined) say(`Acts in project ${textOf(given, "project")}.`);
}
