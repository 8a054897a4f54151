import type { Metadata } from "next";
import { LazyNewConnection } from "#app/(console)/connections/(list)/new/lazy-new-connection.tsx";

export const metadata: Metadata = { title: "New connection" };

export default function NewConnectionPage() {
  return <LazyNewConnection />;
}
