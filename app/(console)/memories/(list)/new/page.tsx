import type { Metadata } from "next";
import { LazyNewMemory } from "#app/(console)/memories/(list)/new/lazy-new-memory.tsx";

export const metadata: Metadata = { title: "New memory" };

export default function NewMemoryPage() {
  return <LazyNewMemory />;
}
