import { z } from "zod";
import { App } from "#server/keys/schema.ts";
import { instant, sentId, typeId } from "#server/operation/fields.ts";
import { SCOPE_NAMES } from "#server/operation/scopes.ts";

const scope = z.enum(SCOPE_NAMES);

export const RequestParams = z.object({ requestId: sentId("appRequest") });

/** The choices for how many days an app gets access. */
export const APP_DAYS = [1, 7, 30, 90, 365] as const;
/** The suggested daily limit of an app, in credits. */
export const OFFERED_CREDITS = 1000;

const app = App.describe("The app.");

/** Where the request of a program comes from that polls for the decision. */
const asker = {
  ip: z.string().nullable().describe("The network address that the program sent its request from."),
  userAgent: z.string().nullable().describe("The program's `User-Agent`."),
  askedAt: instant.describe("When the program requested access."),
};

/** An app's request for access, as shown on the consent page. */
export const AppRequest = z
  .object({
    id: typeId("appRequest"),
    app,
    status: z
      .enum(["open", "decided", "expired"])
      .describe("The status; only an `open` request can be decided."),
    mayConnect: z.boolean().describe("True if the account lets the person connect apps."),
    returnsTo: z
      .object({
        kind: z.enum(["web", "computer", "app"]).describe("A web page, or a program on this computer."),
        address: z.string().describe("The host of the web page, or the scheme of the program's address."),
      })
      .nullable()
      .describe("Where the browser goes after the decision; null for a program that polls for it."),
    program: z
      .object(asker)
      .nullable()
      .describe("The program that polls for the decision; null if the browser goes back to the app."),
    maySpendFreely: z.boolean().describe("True if the app may get spending scopes without a daily limit."),
    scopes: z
      .array(
        z.object({
          scope: scope.describe("The name of the scope."),
          allows: z.string().describe("What the scope allows."),
          group: z.enum(["read", "change", "spend"]).describe("The kind of access that the scope gives."),
          chosen: z.boolean().describe("True if the app requests the scope, or got it the last time."),
          isNew: z.boolean().describe("True if the app requests the scope and did not get it the last time."),
          longestDays: z.number().int().describe("The longest access with this scope, in days."),
        }),
      )
      .describe("Every scope that the person can give to an app."),
    services: z
      .array(
        z.object({ id: z.string().describe("The service's id."), name: z.string().describe("Its name.") }),
      )
      .describe("Every service."),
    last: z
      .object({
        projectId: typeId("project").nullable().describe("The project; null for all."),
        allowedServices: z.array(z.string()).nullable().describe("The services; null for all."),
        creditsPerDay: z
          .number()
          .int()
          .nullable()
          .describe(
            "The daily limit in credits, the suggested one for an app that could not spend; null for none.",
          ),
        requestsPerMinute: z.number().int().nullable().describe("The limit of requests; null for none."),
        days: z.literal(APP_DAYS).describe("For how many days the app got access."),
      })
      .nullable()
      .describe("The person's previous choice for this app; null if there is none."),
    expiresAt: instant.describe("When the request expires."),
  })
  .describe("An app's request for access.");
export type AppRequest = z.output<typeof AppRequest>;

export const UserCode = z.object({
  userCode: z.string().min(1, "Enter the code.").max(100).describe("The code that the program shows."),
});

/** A program without a browser that polls for a decision; its user compares the code with the one the program shows. */
export const DeviceRequest = z
  .object({
    id: typeId("appRequest"),
    app,
    userCode: z.string().describe("The code as the program shows it."),
    ...asker,
  })
  .describe("A program that has requested access and waits for the decision.");
export type DeviceRequest = z.output<typeof DeviceRequest>;

const count = z.number().int("Send an integer.").min(1, "At least 1.").max(1_000_000_000);

export const AllowApp = z.object({
  scopes: z.array(scope).max(100).describe("The scopes of the app; services:read is always included."),
  allowedServices: z.array(z.string().max(100)).max(1000).nullable().describe("The services; null for all."),
  projectId: sentId("project")
    .nullable()
    .describe("The project that the app is restricted to; null for all."),
  creditsPerDay: count.nullable().describe("Credits that the app may spend on a UTC day; null for no limit."),
  requestsPerMinute: count
    .nullable()
    .describe("Calls that the app may make in 60 seconds; null for no limit."),
  days: z.literal(APP_DAYS).describe("For how many days the app gets access."),
});
export type AllowApp = z.output<typeof AllowApp>;

/** Where the browser goes after the decision. */
export const Decided = z.object({
  redirectTo: z
    .string()
    .nullable()
    .describe(
      "Where the browser goes next: an address of the app; null for a program that polls for the decision.",
    ),
});

export const ConnectedAppParams = z.object({ id: sentId("apiKey") });

/** An app's current access. */
export const ConnectedApp = z
  .object({
    id: typeId("apiKey").describe("The key behind the app's access."),
    app,
    member: z
      .object({ id: typeId("member"), name: z.string().describe("The person's name.") })
      .describe("The member who connected the app."),
    scopes: z.array(scope).describe("The scopes of the app."),
    spentToday: z.number().int().describe("Credits counted against its daily limit on this UTC day."),
    creditsPerDay: z.number().int().nullable().describe("The daily limit in credits; null if there is none."),
    connectedAt: instant.describe("When the app got access."),
    lastUsedAt: instant.nullable().describe("When the app last made a call; null if never."),
    expiresAt: instant.describe("When the access expires."),
  })
  .describe("An app's access to the account.");
export type ConnectedApp = z.output<typeof ConnectedApp>;
