"use client";

import { useEffect, useState } from "react";
import { payloadHashOf } from "#app/(console)/approvals/payload-hash.ts";
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
    void payloadHashOf(text === undefined ? null : JSON.parse(text)).then((hash) => {
      if (!gone && hash !== null) setCheck(hash === payloadHash ? "matches" : "differs");
    });
    return () => {
      gone = true;
    };
  }, [text, payloadHash]);
  return check;
}
