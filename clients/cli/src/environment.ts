const { PLATFORM_API_KEY, PLATFORM_URL, PLATFORM_PROFILE, XDG_CONFIG_HOME } = process.env;

/** The environment variables; an empty one counts as unset. */
export const environment = {
  apiKey: PLATFORM_API_KEY || undefined,
  baseUrl: PLATFORM_URL || undefined,
  profile: PLATFORM_PROFILE || undefined,
  configFolder: XDG_CONFIG_HOME || undefined,
};
