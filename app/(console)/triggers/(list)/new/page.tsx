import type { Metadata } from "next";
import { NewTrigger } from "#app/(console)/triggers/(list)/new/new-trigger.tsx";

export const metadata: Metadata = { title: "New trigger" };

export default function NewTriggerPage() {
  return <NewTrigger />;
}
