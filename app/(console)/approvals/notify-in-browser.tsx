"use client";

import { useNotifying } from "#app/(console)/_shell/notifying.ts";
import { Switch } from "#components/ui/checkbox.tsx";
import { toast } from "#components/ui/toast.tsx";

/** The setting for this browser's notifications of pending approvals while another tab is in front. */
export function NotifyInBrowser() {
  const { on, set } = useNotifying();

  async function change(wanted: boolean) {
    if (wanted && (await globalThis.Notification?.requestPermission()) !== "granted")
      return toast("This browser does not let the console notify you. Allow it in the site's settings.");
    set(wanted);
  }

  return (
    <Switch label="Notify in this browser" checked={on} onChange={(event) => change(event.target.checked)} />
  );
}
