import { onlineManager } from "@tanstack/react-query";
import { UNANSWERED } from "#components/unanswered.ts";

const AGAIN_MS = 2_000;

/**
 * Finds out whether the server can be reached, where a call was not answered, and asks again until it can. As long as it
 * cannot, queries and acts wait as they do where the browser is offline, and go on by themselves.
 */
export function watchReachable(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = false;

  async function ask() {
    if (asking) return;
    asking = true;
    clearTimeout(timer);
    const reached = await fetch("/health/live", { cache: "no-store" }).then(
      // What stands before the server may answer in its place.
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
