import type { Metadata } from "next";
import { LateNewTrigger } from "#app/(console)/triggers/(list)/new/late-new-trigger.tsx";

export const metadata: Metadata = { title: "New trigger" };

export default function NewTriggerPage() {
  return <LateNewTrigger />;
}
