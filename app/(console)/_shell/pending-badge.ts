import type { QueryClient } from "@tanstack/react-query";
import { isNotifying } from "#app/(console)/_shell/notifying.ts";
import { routes } from "#components/routes.ts";

const COUNTED = /^\(\d+\) /;
const MARKED = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect width="20" height="20" rx="5" fill="#4b45c6"/><path d="M5.5 7h9M5.5 10h6M5.5 13h9" stroke="#fff" stroke-width="1.75" stroke-linecap="round"/><circle cx="15" cy="5" r="5" fill="#d97706"/></svg>',
)}`;

const PENDING = [["approvals", "pending", "read"]];
/** A hidden tab gets no change events, so it polls if the person wants notifications. */
const ASK_MS = 30_000;

let shown = 0;

/**
 * Shows the number of pending approvals in the tab's title and icon, whatever title a page sets, and notifies the
 * person of a new one if they want that.
 */
export function followPendingApprovals(queries: QueryClient, open: (path: string) => void): () => void {
  /** The newest approval's time; empty if there has been none. */
  let newest: string | undefined;
  function look() {
    const [found] = queries.getQueriesData<{ pending: number; newestAt: string | null }>({
      queryKey: PENDING,
    });
    const read = found?.[1];
    if (!read) return;
    const { pending, newestAt } = read;
    // Their number can stay the same: one may have been decided while another was requested.
    if (newest !== undefined && newestAt !== null && newestAt > newest && isNotifying())
      // A notification that the browser refuses is none; the tab still shows the number.
      notify(pending, open).catch(() => undefined);
    if (newest === undefined || (newestAt !== null && newestAt > newest)) newest = newestAt ?? "";
    if (pending === shown) return;
    shown = pending;
    mark();
  }
  const stop = queries.getQueryCache().subscribe(look);
  const observer = new MutationObserver(mark);
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
  const timer = setInterval(() => {
    if (document.hidden && isNotifying()) void queries.refetchQueries({ queryKey: PENDING });
  }, ASK_MS);
  look();
  return () => {
    stop();
    observer.disconnect();
    clearInterval(timer);
  };
}

function mark(): void {
  const bare = document.title.replace(COUNTED, "");
  const title = shown > 0 && bare !== "" ? `(${shown}) ${bare}` : bare;
  if (document.title !== title) document.title = title;
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (!icon) return;
  icon.dataset.calm ??= icon.getAttribute("href") ?? "";
  const href = shown > 0 ? MARKED : icon.dataset.calm;
  if (icon.getAttribute("href") !== href) icon.setAttribute("href", href);
}

async function notify(count: number, open: (path: string) => void): Promise<void> {
  if (document.visibilityState === "visible" && document.hasFocus()) return;
  const path = routes.approvals.list();
  const words = count === 1 ? "An approval waits for a decision." : `${count} approvals wait for a decision.`;
  // Without `renotify`, it would replace the one before silently.
  const options = { body: words, tag: "approvals", renotify: true, data: path };
  // On Android only the service worker's are allowed; its script handles the click.
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) return worker.showNotification("Approvals", options);
  const notification = new Notification("Approvals", options);
  notification.onclick = () => {
    window.focus();
    open(path);
    notification.close();
  };
}
