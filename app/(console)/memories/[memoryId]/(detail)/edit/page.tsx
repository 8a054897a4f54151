import type { Metadata } from "next";
import { LazyEditMemory } from "#app/(console)/memories/[memoryId]/(detail)/edit/lazy-edit-memory.tsx";

export const metadata: Metadata = { title: "Edit memory" };

export default async function EditMemoryPage({ params }: { params: Promise<{ memoryId: string }> }) {
  return <LazyEditMemory memoryId={(await params).memoryId} />;
}
