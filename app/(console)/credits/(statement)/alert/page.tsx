import type { Metadata } from "next";
import { LateChangeAlert } from "#app/(console)/credits/(statement)/alert/late-change-alert.tsx";

export const metadata: Metadata = { title: "Change alert" };

export default function ChangeAlertPage() {
  return <LateChangeAlert />;
}
