import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { isSignedWith } from "./is-signed-with.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const body = '{"id":"whe_1"}';
const at = new Date(1_700_000_000_000);
const standard = `webhook-id: whe_1\nwebhook-timestamp: 1700000000\nwebhook-signature: ${new Webhook(SECRET).sign("whe_1", at, body)}`;

test("verifies a signature of a Standard Webhooks library with its secret, and with no other", async () => {
  expect(await isSignedWith(SECRET, { headers: standard, body })).toBe(true);
  expect(await isSignedWith(OTHER, { headers: standard, body })).toBe(false);
  expect(await isSignedWith(SECRET, { headers: standard, body: `${body} ` })).toBe(false);
});
