/** The choices for the body of deliveries. */
export const payloads = [
  { value: "full", label: "The event with its data" },
  { value: "thin", label: "Thin: the id, the resource and its status" },
] as const;
