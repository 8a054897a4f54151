import { stat } from "node:fs/promises";
import { ApiError } from "../../../typescript/src/index.ts";
import { formatOf } from "../arguments.ts";
import { credentialsFile } from "../credentials.ts";
import { EXIT, messageOf, NotSignedInError } from "../failure.ts";
import { ownVersion } from "../help.ts";
import { USER_AGENT } from "../oauth.ts";
import { printRows } from "../output.ts";
import type { OwnCommand } from "../own-command.ts";
import { openSession, type Session } from "../session.ts";

/** One check; `todo` says how to fix it. */
interface Check extends Record<string, unknown> {
  check: string;
  ok: boolean;
  found: string;
  todo: string;
}

const TIMEOUT_MS = 10_000;
const MAX_SKEW_S = 60;
const SOON_MS = 7 * 86_400_000;

/** Checks everything that calls need. */
export const doctor: OwnCommand = {
  words: [["doctor"]],
  usage: "",
  summary: "Check the address, the platform, the clock, the credential and versions",
  options: () => ({}),
  async run(given) {
    const session = await openSession(given, { optional: true });
    const checks = [
      ...(await checkPlatform(session)),
      await checkCredential(session),
      ...(await checkStream(session)),
      ...(await checkFile()),
      checkNode(),
    ];
    printRows(checks, formatOf(given), ["check", "ok", "found", "todo"]);
    if (checks.some(({ ok }) => !ok)) process.exitCode = EXIT.failed;
  },
};

const well = (check: string, found: string): Check => ({ check, ok: true, found, todo: "" });
const ill = (check: string, found: string, todo: string): Check => ({ check, ok: false, found, todo });

async function checkPlatform({ root }: Session): Promise<Check[]> {
  let answer: Response;
  try {
    answer = await fetch(`${root}/health`, {
      headers: { "user-agent": USER_AGENT },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return [
      ill("address", `${root}: ${messageOf(cause ?? error)}`, "Check --base-url, the network and proxies."),
    ];
  }
  const health = (await answer.json().catch(() => null)) as { status?: string; version?: string } | null;
  if (typeof health?.status !== "string")
    return [ill("address", `${root} answers ${answer.status}, and is no platform`, "Check --base-url.")];
  return [
    well("address", root),
    health.status === "unavailable"
      ? ill("health", health.status, "msp health read names what is away. Ask the operator.")
      : well("health", health.status),
    checkClock(answer.headers.get("date")),
    health.version === ownVersion()
      ? well("version", ownVersion())
      : ill(
          "version",
          `${ownVersion()}; the platform has ${health.version}`,
          `npm install --global ${root}/clients/cli.tgz`,
        ),
  ];
}

/** Checks the clock, on which signatures and expiries depend. */
function checkClock(date: string | null): Check {
  const seconds = date === null ? 0 : Math.round((Date.now() - Date.parse(date)) / 1000);
  if (Math.abs(seconds) <= MAX_SKEW_S) return well("clock", `${Math.abs(seconds)} s apart`);
  return ill(
    "clock",
    `${Math.abs(seconds)} s ${seconds > 0 ? "ahead" : "behind"}`,
    "Set this computer's clock.",
  );
}

async function checkCredential({ platform, source }: Session): Promise<Check> {
  if (source === "none") return ill("credential", "none", "msp login, or set PLATFORM_API_KEY.");
  try {
    const { apiKey, account } = await platform.apiKeys.current();
    const found = `${source}: ${apiKey.label} of ${account.name}, ${apiKey.scopes.length} scopes, until ${apiKey.expiresAt}`;
    return Date.parse(apiKey.expiresAt) - Date.now() > SOON_MS || apiKey.expiryMode === "renewed_by_use"
      ? well("credential", found)
      : ill("credential", found, "It expires soon: make another, or msp login.");
  } catch (error) {
    if (error instanceof ApiError)
      return ill("credential", `${source}: ${error.message}`, "msp login, or another key.");
    if (error instanceof NotSignedInError) return ill("credential", error.message, "msp login");
    return ill("credential", messageOf(error), "Try again.");
  }
}

/** Checks that events arrive through proxies, some of which buffer a response until it is complete. */
async function checkStream({ source, read }: Session): Promise<Check[]> {
  if (source === "none") return [];
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), TIMEOUT_MS);
  const todo = "A proxy in between buffers text/event-stream: have it pass each part at once.";
  try {
    const answer = await read("/events", ended.signal);
    // This key may not read events; its credential has been checked before.
    if (answer.status === 401 || answer.status === 403) return [];
    if (!answer.ok) return [ill("stream", `answers ${answer.status}`, "msp events follow says why.")];
    const first = await answer.body?.getReader().read();
    return [first?.value ? well("stream", "arrives at once") : ill("stream", "ends at once", todo)];
  } catch (error) {
    return [ill("stream", ended.signal.aborted ? `nothing for ${TIMEOUT_MS / 1000} s` : String(error), todo)];
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

async function checkFile(): Promise<Check[]> {
  const file = credentialsFile();
  const found = await stat(file).catch(() => null);
  if (!found || process.platform === "win32") return [];
  const mode = (found.mode & 0o777).toString(8);
  return [
    mode === "600"
      ? well("sign-ins", file)
      : ill("sign-ins", `${file} has mode ${mode}`, `chmod 600 ${file}`),
  ];
}

function checkNode(): Check {
  const [major = 0] = process.versions.node.split(".").map(Number);
  const { node } = process.versions;
  return major >= 20 ? well("node", node) : ill("node", node, "Install Node.js 20 or later.");
}
