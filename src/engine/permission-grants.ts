import type { SandboxPolicy } from "../protocol/types.js";
import { type EnforcedPolicy, type GrantedPermissions, needsSandbox } from "../sandbox/index.js";

/**
 * What the user has granted for as long as its owner lives: a turn or the session.
 *
 * It is kept in memory alone: a session that goes on in another process begins without grants, as
 * in the reference, so that what a file says never widens a sandbox.
 */
export class PermissionGrants {
  #writable = new Set<string>();
  #network = false;

  add({ network, file_system }: GrantedPermissions): void {
    if (network !== null) this.#network = true;
    for (const path of file_system?.write ?? []) this.#writable.add(path);
  }

  /** A policy with these grants and others on top of it; itself when there are none. */
  static over(policy: SandboxPolicy, ...all: readonly PermissionGrants[]): EnforcedPolicy {
    const writable = [...new Set(all.flatMap((grants) => [...grants.#writable]))];
    const network = all.some((grants) => grants.#network);
    const isPlain = !network && writable.length === 0;
    return isPlain || !needsSandbox(policy)
      ? policy
      : { ...policy, granted: { writable, network } };
  }
}
