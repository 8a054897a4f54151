import type { ReactNode } from "react";
import { DataProvider } from "#components/trpc.tsx";
import { Brand } from "#components/ui/brand.tsx";

/** The frame of sign-in, sign-up and invitation: one narrow column, nothing else to click. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <DataProvider projectId={null}>
      <main className="mx-auto flex min-h-dvh w-full max-w-100 flex-col justify-center gap-6 px-4 py-12">
        <Brand />
        {children}
      </main>
    </DataProvider>
  );
}
