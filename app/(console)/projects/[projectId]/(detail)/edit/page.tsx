import type { Metadata } from "next";
import { EditProject } from "#app/(console)/projects/[projectId]/(detail)/edit/edit-project.tsx";

export const metadata: Metadata = { title: "Edit project" };

export default async function EditProjectPage({ params }: { params: Promise<{ projectId: string }> }) {
  return <EditProject projectId={(await params).projectId} />;
}
