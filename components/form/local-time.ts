/** Formats a moment as `2026-03-01T14:05` in the viewer's zone, the format of the browser's control. */
export function toLocal(iso: string): string {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
