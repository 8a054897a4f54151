/** A button of the open page: its label, and a function that presses it. */
type PageButton = { label: string; press: () => void };

/** Marks a place whose buttons act on what the page shows: `<div data-actions>`. */
const PLACES = "[data-actions]";

/**
 * Returns the buttons that can be pressed now: those of the panel over the page, or else of the page's header. A menu's
 * button does nothing by itself.
 */
export function pageButtons(): PageButton[] {
  const places = [...document.querySelectorAll(PLACES)];
  const inPanel = places.filter((place) => place.closest("[role=dialog]"));
  const shown = inPanel.length > 0 ? inPanel : places;
  return shown
    .flatMap((place) => [...place.querySelectorAll<HTMLButtonElement>("button:enabled:not([aria-haspopup])")])
    .flatMap((button) => {
      const label = button.textContent?.trim();
      // Once the palette has closed and given back the focus.
      return label ? [{ label, press: () => void setTimeout(() => button.click()) }] : [];
    });
}
