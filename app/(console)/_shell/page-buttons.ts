/** A button of the open page: its label, and a function that presses it. */
type PageButton = { label: string; press: () => void };

/** Marks a place whose buttons act on what the page shows: `<div data-actions>`. */
const PLACES = "[data-actions]";

/**
 * Returns the buttons that can be pressed now: those of the panel over the page, or else of the page's header. An open
 * panel hides what is below it from screen readers, and so from the palette. A menu's button does nothing by itself.
 */
export function pageButtons(): PageButton[] {
  return [...document.querySelectorAll(PLACES)]
    .filter((place) => !place.closest("[aria-hidden=true]"))
    .flatMap((place) => [...place.querySelectorAll<HTMLButtonElement>("button:enabled:not([aria-haspopup])")])
    .flatMap((button) => {
      const label = button.textContent?.trim();
      // Once the palette has closed and given back the focus.
      return label ? [{ label, press: () => void setTimeout(() => button.click()) }] : [];
    });
}
