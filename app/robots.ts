import type { MetadataRoute } from "next";

/** Search engines find the reference; the console's pages need a session. */
export default function robots(): MetadataRoute.Robots {
  return { rules: { userAgent: "*", allow: ["/docs", "/llms.txt", "/openapi.json"], disallow: "/" } };
}
