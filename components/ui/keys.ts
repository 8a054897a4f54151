/** True if a key press may trigger a shortcut: not while typing, with a modifier, or under a dialog or menu. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return false;
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (target?.isContentEditable || target?.closest("input, textarea, select")) return false;
  return document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") === null;
}
