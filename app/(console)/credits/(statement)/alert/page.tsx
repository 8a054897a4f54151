import type { Metadata } from "next";
import { LazyChangeAlert } from "#app/(console)/credits/(statement)/alert/lazy-change-alert.tsx";

export const metadata: Metadata = { title: "Change alert" };

export default function ChangeAlertPage() {
  return <LazyChangeAlert />;
}
