import type { Metadata } from "next";
import { NewConnection } from "#app/(console)/connections/(list)/new/new-connection.tsx";

export const metadata: Metadata = { title: "New connection" };

export default function NewConnectionPage() {
  return <NewConnection />;
}
