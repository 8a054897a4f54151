"use client";

import { useEffect, useState } from "react";
import { payloadHashOf } from "#app/(console)/approvals/payload-hash.ts";
import type { Approval } from "#app/(console)/approvals/words.ts";

/** Whether the shown payload has the hash that is decided; null if unknown. */
export type PayloadCheck = "matches" | "differs" | null;

/** Computes the hash again in the browser, so that people approve exactly the payload that they see. */
export function usePayloadCheck({ payload, payloadHash }: Approval): PayloadCheck {
  const [check, setCheck] = useState<PayloadCheck>(null);
  const text = JSON.stringify(payload);
  useEffect(() => {
    let gone = false;
    setCheck(null);
    void payloadHashOf(text === undefined ? null : JSON.parse(text)).then((hash) => {
      if (!gone && hash !== null) setCheck(hash === payloadHash ? "matches" : "differs");
    });
    return () => {
      gone = true;
    };
  }, [text, payloadHash]);
  return check;
}
