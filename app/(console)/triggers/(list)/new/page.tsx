import type { Metadata } from "next";
import { LazyNewTrigger } from "#app/(console)/triggers/(list)/new/lazy-new-trigger.tsx";

export const metadata: Metadata = { title: "New trigger" };

export default function NewTriggerPage() {
  return <LazyNewTrigger />;
}
