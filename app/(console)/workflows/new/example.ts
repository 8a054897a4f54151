/** The editor's initial workflow, which can run: it shows a value, a wait and a list. */
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
