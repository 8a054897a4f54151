import { createHmac, randomBytes } from "node:crypto";
import { formatOf, textOf } from "../arguments.ts";
import { changeProfile, readProfile } from "../credentials.ts";
import { messageOf, UsageError } from "../failure.ts";
import { USER_AGENT } from "../oauth.ts";
import { plainText, print, say } from "../output.ts";
import type { OwnCommand } from "../own-command.ts";
import { openSession, profileName } from "../session.ts";

const ANSWER_MS = 15_000;

/** The outcome of forwarding an event. */
interface Forwarded {
  at: string;
  type: string;
  id: string;
  /** The response's status; null without a response. */
  status: number | null;
  durationMs: number;
  error: string | null;
}

/** Forwards the account's events to a server on this computer, signed like a webhook's deliveries. */
export const listenToWebhooks: OwnCommand = {
  words: [["webhooks", "listen"]],
  usage: "--forward-to URL [--events NAME …]",
  summary: "Send the account's events to a server of yours as they happen, signed as webhooks are",
  about: {
    "--forward-to URL": "where each event is posted to, once",
    "--events NAME": "names or patterns like run.*, once for each; by default all",
    "--project-id ID": "only this project's events",
    "--secret whsec_…": "what to sign with; by default one that stays the profile's",
  },
  options: () => ({
    "forward-to": { type: "string" },
    events: { type: "string", multiple: true },
    "project-id": { type: "string" },
    secret: { type: "string" },
  }),
  async run(given) {
    const target = textOf(given, "forward-to");
    if (target === undefined || !URL.canParse(target) || !/^https?:/.test(target))
      throw new UsageError(
        "Name an http address: msp webhooks listen --forward-to http://localhost:8080/hooks.",
      );
    const { platform } = await openSession(given);
    const secret = textOf(given, "secret") ?? (await secretOf(profileName(given)));
    const format = formatOf(given);
    say(`Signs with ${secret}`);
    say(`Forwards to ${target} until you stop it.`);
    const types = given.values.events as string[] | undefined;
    const projectId = textOf(given, "project-id");
    let body = "";
    const onBody = (text: string) => {
      body = text;
    };
    for await (const event of platform.events.follow({ types, projectId }, { onBody })) {
      const forwarded = await forward(target, event, body, secret);
      print(format === "json" ? `${JSON.stringify(forwarded)}\n` : `${lineOf(forwarded)}\n`);
    }
  },
};

/** Returns the profile's signing secret, which stays the same; a new one if nobody has signed in. */
async function secretOf(name: string): Promise<string> {
  const made = `whsec_${randomBytes(32).toString("base64")}`;
  if ((await readProfile(name)) === undefined) return made;
  const changed = await changeProfile(name, async (profile) =>
    profile && !profile.webhookSecret ? { ...profile, webhookSecret: made } : profile,
  );
  return changed?.webhookSecret ?? made;
}

async function forward(
  url: string,
  event: { id: string; type: string },
  payload: string,
  secret: string,
): Promise<Forwarded> {
  const started = performance.now();
  const { id, type } = event;
  const at = new Date().toISOString();
  const made = (status: number | null, error: string | null): Forwarded => ({
    at,
    type,
    id,
    status,
    durationMs: Math.round(performance.now() - started),
    error,
  });
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { ...deliveryHeaders(event, payload, secret), "user-agent": USER_AGENT },
      body: payload,
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await answer.arrayBuffer();
    return made(answer.status, answer.ok ? null : `Your server answered ${answer.status}.`);
  } catch (error) {
    return made(null, messageOf((error instanceof Error && error.cause) || error));
  }
}

function lineOf({ at, type, id, status, durationMs, error }: Forwarded): string {
  return plainText(`${at.slice(11, 19)} ${type} ${id} ${status ?? error ?? ""} ${durationMs} ms`);
}

/** Returns the headers of a delivery, with both signatures that webhooks have. */
function deliveryHeaders(
  { id, type }: { id: string; type: string },
  payload: string,
  secret: string,
): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1000);
  const own = createHmac("sha256", secret).update(`${seconds}.${payload}`).digest("hex");
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const standard = createHmac("sha256", key).update(`${id}.${seconds}.${payload}`).digest("base64");
  return {
    "content-type": "application/json",
    "x-service-event": type,
    "x-service-signature": `t=${seconds},v1=${own}`,
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${standard}`,
  };
}
