import { expect, test } from "vitest";
import { placeIcons } from "#app/(console)/_shell/place-icons.ts";
import { places } from "#components/routes.ts";

test("each place in the navigation has its icon, and each icon its place", () => {
  const labels = places.flat().map(({ label }) => label);
  expect(Object.keys(placeIcons).toSorted()).toEqual(labels.toSorted());
});
