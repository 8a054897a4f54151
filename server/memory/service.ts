import type { ServiceDefinition } from "#server/services/service.ts";
import { deleteMemory } from "./delete-memory.ts";
import { exportMemories } from "./export-memories.ts";
import { getMemory } from "./get-memory.ts";
import { listMemories } from "./list-memories.ts";
import { putMemory } from "./put-memory.ts";
import { searchMemories } from "./search-memories.ts";

export const memoryService: ServiceDefinition = {
  id: "managed-memory",
  name: "Managed memory",
  description: "Stores texts with tags, and searches them.",
  capabilities: [putMemory, getMemory, listMemories, searchMemories, deleteMemory, exportMemories],
};
