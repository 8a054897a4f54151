/** The role and password for a database. */
export interface Login {
  role: string;
  password: string;
}

/** The location of an account's database, and its login. */
export interface Tenant {
  /** The cluster's name. */
  cluster: string;
  database: string;
  login: Login;
}

/** A PostgreSQL cluster for accounts' databases. Never the platform's own. */
export interface TenantCluster {
  /** The name by which a database's row refers to it. */
  name: string;
  /** Returns the address of one of its databases; without a login, the administrator's. */
  url(database: string, login?: Login): string;
  /** Signals a tenant's backend directly; only if its processes are on this machine. */
  signal?(pid: number, signal: "SIGTERM" | "SIGKILL"): void;
}

/**
 * Returns the cluster at an administrator's address, which is read on each use: an embedded cluster may move to another
 * port.
 */
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

/**
 * Returns a cluster of `MANAGED_DATABASE_URLS`. Its databases are found at a new address as long as it keeps its name.
 */
export function configuredCluster({ name, url }: { name: string; url: string }): TenantCluster {
  return tenantCluster(name, () => url);
}
