import { onlineManager } from "@tanstack/react-query";
import { UNANSWERED } from "#components/unanswered.ts";

const AGAIN_MS = 2_000;

/**
 * After a call without a response, checks whether the server can be reached, and repeats that until it can. Until then
 * queries and mutations pause as they do while the browser is offline, and continue by themselves.
 */
export function watchReachable(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = false;

  async function ask() {
    if (asking) return;
    asking = true;
    clearTimeout(timer);
    const reached = await fetch("/health/live", { cache: "no-store" }).then(
      // A proxy in front of the server may respond in its place.
      ({ ok }) => ok,
      () => false,
    );
    asking = false;
    onlineManager.setOnline(reached);
    if (!reached) timer = setTimeout(ask, AGAIN_MS);
  }

  window.addEventListener(UNANSWERED, ask);
  return () => {
    clearTimeout(timer);
    window.removeEventListener(UNANSWERED, ask);
  };
}
