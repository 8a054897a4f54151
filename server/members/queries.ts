import type { MemberCaller, Role } from "#server/operation/caller.ts";
import { ROLE_SCOPES } from "./roles.ts";

type Facts = Omit<MemberCaller, "type" | "scopes" | "privacyTier">;

/** A member of an account as a caller, with what the role allows. */
export function memberCaller(facts: Facts & { role: Role }): MemberCaller {
  return { type: "member", ...facts, scopes: ROLE_SCOPES[facts.role], privacyTier: "standard" };
}
