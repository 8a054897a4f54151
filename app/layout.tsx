import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { Providers } from "#components/ui/providers.tsx";
import { sharedApiOrigin } from "#server/docs/api-origin.ts";
import "./fonts.css";
import "./globals.css";

// The characters of nearly every page, which are preloaded; fonts.css has all others.
const latin = localFont({
  src: "../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2",
  variable: "--font-latin",
  weight: "100 900",
});

export const metadata: Metadata = {
  title: { default: "Managed Services", template: "%s · Managed Services" },
  description:
    "Wallets, workflows, agents, memories, files and databases behind one API: with keys that can be limited, approvals, credits, and an audit of every request.",
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#101114" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Reading the request makes every page dynamic, as its nonce requires.
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <html lang="en" className={latin.variable} data-api-origin={sharedApiOrigin()} suppressHydrationWarning>
      <body>
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  );
}
