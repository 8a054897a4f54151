import { setTimeout as sleep } from "node:timers/promises";
import type { Answered } from "./api.ts";

/** Repeats a call, which has one idempotency key, while a busy machine does not come to it or is still at it. */
export async function untilAnswered(call: () => Promise<Answered>): Promise<Answered> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503 && answer.body.error?.code !== "idempotency_in_progress") return answer;
    await sleep(50);
  }
}
