import { z } from "zod";
import { App } from "#server/keys/schema.ts";
import { instant, sentId, typeId } from "#server/operation/fields.ts";
import { SCOPE_NAMES } from "#server/operation/scopes.ts";

const scope = z.enum(SCOPE_NAMES);

export const RequestParams = z.object({ requestId: sentId("appRequest") });

/** For how many days an app may be let in. */
export const APP_DAYS = [1, 7, 30, 90, 365] as const;
/** What people are offered as an app's daily limit. */
export const OFFERED_CREDITS = 1000;

const app = App.describe("The app.");

/** An app's question for access, as the consent page shows it. */
export const AppRequest = z
  .object({
    id: typeId("appRequest"),
    app,
    status: z.enum(["open", "decided", "expired"]).describe("Whether it can be decided."),
    mayConnect: z.boolean().describe("Whether the account lets the person connect apps."),
    returnsTo: z
      .object({
        kind: z.enum(["web", "computer", "app"]).describe("A web page, or a program on this computer."),
        address: z.string().describe("The host, or the scheme of the program's address."),
      })
      .nullable()
      .describe("Where the browser goes afterwards; null for a program that waits by itself."),
    maySpendFreely: z.boolean().describe("Whether it may get what can spend without a daily limit."),
    scopes: z
      .array(
        z.object({
          scope: scope.describe("The scope."),
          allows: z.string().describe("What it allows."),
          group: z.enum(["read", "change", "spend"]).describe("What kind of access it is."),
          chosen: z.boolean().describe("Whether the app asks for it, or got it the last time."),
          isNew: z.boolean().describe("Whether the app asks for it and did not get it the last time."),
          longestDays: z.number().int().describe("How many days it may be given for."),
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
        creditsPerDay: z.number().int().nullable().describe("The daily limit in credits."),
        requestsPerMinute: z.number().int().nullable().describe("The limit of requests."),
      })
      .nullable()
      .describe("What the person has chosen for this app the last time."),
    expiresAt: instant.describe("Until when it can be decided."),
  })
  .describe("An app's question for access.");
export type AppRequest = z.output<typeof AppRequest>;

export const UserCode = z.object({
  userCode: z.string().min(1, "Enter the code.").max(100).describe("The code that the program shows."),
});

/** A program that waits without a browser, as its person compares it with what they see there. */
export const DeviceRequest = z
  .object({
    id: typeId("appRequest"),
    app,
    userCode: z.string().describe("The code as the program shows it."),
    ip: z.string().nullable().describe("The address that it asked from."),
    userAgent: z.string().nullable().describe("What it says that it is."),
    askedAt: instant.describe("When it asked."),
  })
  .describe("A program that asks for access and waits.");
export type DeviceRequest = z.output<typeof DeviceRequest>;

const count = z.number().int("Send an integer.").min(1, "At least 1.").max(1_000_000_000);

export const AllowApp = z.object({
  scopes: z.array(scope).max(100).describe("What the app may do; services:read is always with it."),
  allowedServices: z.array(z.string().max(100)).max(1000).nullable().describe("The services; null for all."),
  projectId: sentId("project").nullable().describe("The project that the app stays in; null for all."),
  creditsPerDay: count.nullable().describe("How many credits the app may use on a UTC day."),
  requestsPerMinute: count.nullable().describe("How many calls the app may make in a minute."),
  days: z.literal(APP_DAYS).describe("For how many days."),
});
export type AllowApp = z.output<typeof AllowApp>;

/** Where the browser is to go after the decision. */
export const Decided = z.object({
  redirectTo: z
    .string()
    .nullable()
    .describe("Where the browser goes: the app's own address; null for a program that waits by itself."),
});

export const ConnectedAppParams = z.object({ id: sentId("apiKey") });

/** An app's access that lives. */
export const ConnectedApp = z
  .object({
    id: typeId("apiKey").describe("The key behind the app's access."),
    app,
    member: z
      .object({ id: typeId("member"), name: z.string().describe("What the person is called.") })
      .describe("Who has connected it."),
    scopes: z.array(scope).describe("What it may do."),
    spentToday: z.number().int().describe("Credits counted against its daily limit on this UTC day."),
    creditsPerDay: z
      .number()
      .int()
      .nullable()
      .describe("The daily limit in credits; null where it has none."),
    connectedAt: instant.describe("When it got access."),
    lastUsedAt: instant.nullable().describe("When it last called."),
    expiresAt: instant.describe("Until when it has access."),
  })
  .describe("An app's access to the account.");
export type ConnectedApp = z.output<typeof ConnectedApp>;
