"use client";

import { useEffect, useState } from "react";
import type { Approval } from "#app/(console)/approvals/words.ts";

/** Whether the payload that is shown has the hash that is decided; null where it is not known. */
export type PayloadCheck = "matches" | "differs" | null;

/** Computes the hash anew, in the browser: what is approved is what is seen. */
export function usePayloadCheck({ payload, payloadHash }: Approval): PayloadCheck {
  const [check, setCheck] = useState<PayloadCheck>(null);
  const text = JSON.stringify(payload);
  useEffect(() => {
    let gone = false;
    setCheck(null);
    // Without TLS a browser has no hashes.
    if (text === undefined || text === "null" || !globalThis.crypto?.subtle) return;
    void hashOf(JSON.parse(text)).then((hash) => {
      if (!gone) setCheck(hash === payloadHash ? "matches" : "differs");
    });
    return () => {
      gone = true;
    };
  }, [text, payloadHash]);
  return check;
}

async function hashOf(payload: unknown): Promise<string> {
  const { default: canonicalize } = await import("canonicalize");
  const bytes = new TextEncoder().encode(canonicalize(payload));
  return [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
