import { toast } from "#components/ui/toast.tsx";

/** Copies a text; returns false, and says so, if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toast("The browser refused to copy. Select the text and copy it.", { failed: true });
    return false;
  }
}

/** Copies the id of a row or page, which shows no button that could confirm it. */
export async function copyId(id: string): Promise<void> {
  if (await copyText(id)) toast("The id is copied.");
}
