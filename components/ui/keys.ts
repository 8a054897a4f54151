/** Whether a key press is a shortcut's to take: not while typing, not with a modifier, not under a dialog or menu. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return false;
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (target?.isContentEditable || target?.closest("input, textarea, select")) return false;
  return document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") === null;
}
