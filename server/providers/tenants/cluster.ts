/** How a role signs in to a database. */
export interface Login {
  role: string;
  password: string;
}

/** A PostgreSQL cluster in which accounts' databases lie. Never the platform's own. */
export interface TenantCluster {
  /** What a database's row remembers it by. */
  name: string;
  /** The address of one of its databases; without a login, the administrator's. */
  url(database: string, login?: Login): string;
  /** Signals a backend of a tenant, past all of PostgreSQL; only where its processes are this machine's. */
  signal?(pid: number, signal: "SIGTERM" | "SIGKILL"): void;
}

/** The cluster at an administrator's address, read anew for each use: an embedded one may move to another port. */
export function tenantCluster(
  name: string,
  address: () => string,
  signal?: TenantCluster["signal"],
): TenantCluster {
  return {
    name,
    ...(signal && { signal }),
    url(database, login) {
      const url = new URL(address());
      url.pathname = `/${database}`;
      if (login) {
        url.username = login.role;
        url.password = login.password;
      }
      return url.href;
    },
  };
}

/** A cluster of `MANAGED_DATABASE_URLS`. Its databases are found again at another address as long as it keeps its name. */
export function configuredCluster({ name, url }: { name: string; url: string }): TenantCluster {
  return tenantCluster(name, () => url);
}
