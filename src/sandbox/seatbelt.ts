import { join } from "node:path";
import type { Confinement } from "./confinement.js";
import { protectedNames } from "./protected-paths.js";

/** The program that applies a profile; PATH is never searched. */
export const seatbeltProgram = "/usr/bin/sandbox-exec";

/** Options for `seatbeltArguments`. */
export interface SeatbeltPlan {
  confinement: Pick<Confinement, "roots" | "readOnly" | "absent">;
  network: boolean;
  /** Permits connections to Unix sockets, which reach every daemon of the host. */
  unixSockets: boolean;
  /** Unreadable files and directories. */
  hidden?: readonly string[];
}

/**
 * Returns the arguments of `sandbox-exec` for a plan, up to the `--` before the command.
 *
 * Paths are parameters, never part of the profile text, so that none is parsed as a rule.
 */
export function seatbeltArguments(plan: SeatbeltPlan): string[] {
  const parameters = new Map<string, string>();
  const profile = seatbeltProfile(plan, parameters);
  return ["-p", profile, ...[...parameters].map(([name, value]) => `-D${name}=${value}`), "--"];
}

function seatbeltProfile(plan: SeatbeltPlan, parameters: Map<string, string>): string {
  const writes = plan.confinement.roots.map((root, index) =>
    writeRule(root.path, index, plan.confinement, parameters),
  );
  const hidden = (plan.hidden ?? []).map((path, index) => {
    parameters.set(`HIDDEN_${index}`, path);
    const name = `(param "HIDDEN_${index}")`;
    return `(deny file-read* (literal ${name}) (subpath ${name}))`;
  });
  return [basics, ...writes, ...hidden, plan.network ? networkRules(plan.unixSockets) : ""]
    .filter((part) => part !== "")
    .join("\n");
}

/**
 * A root is writable except for its protected paths and everything below them. Protected names are
 * refused at any depth, so also after a directory was moved, unless the root itself is below one.
 */
function writeRule(
  root: string,
  index: number,
  confinement: SeatbeltPlan["confinement"],
  parameters: Map<string, string>,
): string {
  const name = `ROOT_${index}`;
  parameters.set(name, root);
  const names = protectedNames.map((protectedName) => join(root, protectedName));
  const listed = [...confinement.readOnly, ...confinement.absent];
  const inRoot = listed.filter((path) => path.startsWith(`${root}/`));
  const exceptions = [...new Set([...names, ...inRoot])].map((path, exception) => {
    const parameter = `${name}_KEEP_${exception}`;
    parameters.set(parameter, path);
    return `  (require-not (literal (param "${parameter}")))\n  (require-not (subpath (param "${parameter}")))`;
  });
  const anywhere = root.split("/").some((part) => protectedNames.includes(part.toLowerCase()))
    ? []
    : [`  (require-not (regex #"/(${protectedNames.map(anyCase).join("|")})(/|$)"))`];
  const conditions = [`  (subpath (param "${name}"))`, ...anywhere, ...exceptions];
  return `(allow file-write* (require-all\n${conditions.join("\n")}))`;
}

/** Returns a case-insensitive pattern for a name: the file system of a Mac usually ignores case. */
function anyCase(name: string): string {
  const letter = (char: string) => `[${char.toLowerCase()}${char.toUpperCase()}]`;
  return name.replaceAll(".", "\\.").replace(/[a-z]/gi, letter);
}

/** Reading and executing are permitted; everything not permitted here is refused. */
const basics = `(version 1)
(deny default)
(allow process-exec)
(allow process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow file-read*)
(allow file-write-data (require-all (path "/dev/null") (vnode-type CHARACTER-DEVICE)))
(allow file-ioctl (regex #"^/dev/tty"))
(allow file-read* file-write* file-ioctl (literal "/dev/ptmx"))
(allow file-read* file-write* (require-all (regex #"^/dev/ttys[0-9]+") (extension "com.apple.sandbox.pty")))
(allow pseudo-tty)
(allow sysctl-read)
(allow ipc-posix-sem)
(allow iokit-open (iokit-registry-entry-class "RootDomainUserClient"))
(allow mach-lookup
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.opendirectoryd.membership")
  (global-name "com.apple.bsd.dirhelper")
  (global-name "com.apple.PowerManagement.control"))
(allow user-preference-read)`;

/** Rules for IP, name resolution and certificate checks. */
function networkRules(unixSockets: boolean): string {
  const rules = `(allow network-outbound (remote ip))
(allow network-inbound (local ip))
(allow network-bind (local ip))
(allow system-socket (require-all (socket-domain AF_SYSTEM) (socket-protocol 2)))
(allow network-outbound (literal "/private/var/run/mDNSResponder"))
(allow mach-lookup
  (global-name "com.apple.SecurityServer")
  (global-name "com.apple.SystemConfiguration.DNSConfiguration")
  (global-name "com.apple.SystemConfiguration.configd")
  (global-name "com.apple.networkd")
  (global-name "com.apple.ocspd")
  (global-name "com.apple.trustd.agent"))`;
  return unixSockets
    ? `${rules}\n(allow network* (remote unix-socket))\n(allow network* (local unix-socket))`
    : rules;
}
