/** What the editor begins with: it runs as it is, and shows a value, a wait and a list. */
export const EXAMPLE = {
  workflow: {
    name: "Greet everyone",
    steps: [
      {
        id: "keep",
        type: "invoke",
        serviceId: "managed-memory",
        operationId: "put",
        input: { name: "greeting", content: "Hello, {% input.name %}." },
      },
      { id: "pause", type: "wait", seconds: 1 },
      {
        id: "each",
        type: "map",
        items: "{% input.friends %}",
        concurrency: 2,
        steps: [
          {
            id: "letter",
            type: "artifact",
            name: "{% item %}.txt",
            mediaType: "text/plain",
            content: "{% item %}: {% steps.keep.memory.content %}",
          },
        ],
      },
    ],
    output: { letters: "{% steps.each.name %}" },
  },
  input: { name: "Ada", friends: ["Charles", "Mary"] },
};
