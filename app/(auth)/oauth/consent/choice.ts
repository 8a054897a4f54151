import type { Boundary } from "#app/(console)/api-keys/(list)/new/key-values.ts";
import type { AppRequest } from "#server/oauth/schema.ts";

/** The consent form's values. */
export type Choice = {
  scopes: string[];
  projectId: string;
  services: Boundary;
  creditsPerDay: number | null;
  requestsPerMinute: number | null;
  days: string;
};

const OFFERED = { creditsPerDay: 1000, requestsPerMinute: 600, days: 90 };

/** Returns the initial values: the app's requested scopes and the person's previous choice. */
export function firstChoice({ scopes, last }: AppRequest): Choice {
  const { creditsPerDay, requestsPerMinute, days } = last ?? OFFERED;
  const chosen = scopes.filter(({ chosen }) => chosen);
  return {
    scopes: chosen.map(({ scope }) => scope),
    projectId: last?.projectId ?? "",
    services: { mode: last?.allowedServices ? "allowed" : "any", names: last?.allowedServices ?? [] },
    creditsPerDay,
    requestsPerMinute,
    days: String(Math.min(days, ...chosen.map(({ longestDays }) => longestDays))),
  };
}

/** Converts the values to the operation's input. */
export function choiceOf(values: Choice, { services, scopes }: AppRequest) {
  const { mode, names } = values.services;
  const others = services.map(({ id }) => id).filter((id) => !names.includes(id));
  const spends = scopes.some(({ scope, group }) => group === "spend" && values.scopes.includes(scope));
  return {
    scopes: values.scopes,
    projectId: values.projectId || null,
    allowedServices: { any: null, allowed: names, excluded: others }[mode],
    creditsPerDay: spends ? values.creditsPerDay : null,
    requestsPerMinute: values.requestsPerMinute,
    days: Number(values.days),
  };
}
