import type { Answered } from "./api.ts";
import { eventually } from "./eventually.ts";

/** Repeats a call with one idempotency key while a busy machine refuses it or is still processing it. */
export function untilAnswered<Answer extends Pick<Answered, "status" | "body">>(
  call: () => Promise<Answer>,
): Promise<Answer> {
  return eventually(async () => {
    const answer = await call();
    const isBusy = answer.status === 503 || answer.body.error?.code === "idempotency_in_progress";
    return isBusy ? undefined : answer;
  });
}
