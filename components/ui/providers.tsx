"use client";

import { ThemeProvider } from "next-themes";
import { type ReactNode, useState } from "react";
import { Toaster } from "#components/ui/toast.tsx";

/** Wraps the whole document once, in `app/layout.tsx`: theme, toasts and the nonce of inline styles. */
export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  // The document keeps the content security policy it arrived with, so a later render's nonce would be refused.
  const [documentNonce] = useState(() => {
    if (typeof window !== "undefined") window.__webpack_nonce__ = nonce;
    return nonce;
  });
  return (
    <ThemeProvider
      attribute="class"
      defaultTheme="system"
      enableSystem
      disableTransitionOnChange
      {...(documentNonce && { nonce: documentNonce })}
    >
      {children}
      <Toaster />
    </ThemeProvider>
  );
}

declare global {
  interface Window {
    /** The scroll lock of dialogs reads the nonce for its style element from here. */
    __webpack_nonce__: string | undefined;
  }
}
