/** `2026-03-01T14:05` in the viewer's zone, as the browser's control wants it. */
export function toLocal(iso: string): string {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
