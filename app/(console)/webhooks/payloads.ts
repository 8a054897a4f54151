/** What a delivery's body may be. */
export const payloads = [
  { value: "full", label: "The event with its data" },
  { value: "thin", label: "Thin: the id, the resource and its status" },
] as const;
