import type { ReactNode } from "react";
import { ConsoleFrame } from "#app/(console)/_shell/console-frame.tsx";

export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return <ConsoleFrame viewer={null}>{children}</ConsoleFrame>;
}
