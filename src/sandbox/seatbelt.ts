import { join } from "node:path";
import type { Confinement } from "./confinement.js";
import { protectedNames } from "./protected-paths.js";
import type { SeatbeltRules, Statement } from "./seatbelt-rules.js";

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
  /** Rules of a permission profile, which decide about files instead of the roots alone. */
  rules?: SeatbeltRules;
  /** Port of our proxy on this machine, the only one that commands may connect to. */
  proxyPort?: number;
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
  const { rules, confinement } = plan;
  const files =
    rules === undefined
      ? confinement.roots.map(({ path }, index) => writeRule(path, index, confinement, parameters))
      : rules.statements.map((statement, index) =>
          statementText(statement, index, confinement, parameters),
        );
  const hidden = (plan.hidden ?? []).map((path, index) => {
    const place = subtree(`HIDDEN_${index}`, path, parameters);
    return `(deny file-read* ${place})`;
  });
  return [...opening(rules?.root ?? "read"), ...files, ...hidden, networkOf(plan)]
    .filter((part) => part !== "")
    .join("\n");
}

/** Rules for everything that no path rule is about. */
function opening(root: SeatbeltRules["root"]): string[] {
  switch (root) {
    case "open":
      return ["(version 1)\n(allow default)"];
    case "write":
      return [basics, readAll, "(allow file-write*)"];
    case "read":
      return [basics, readAll];
    case "nothing":
      return [basics, links];
  }
}

const readAll = "(allow file-read*)";

/** The root of the file system, and the links of the system on the way to files. */
const links = '(allow file-read* (literal "/") (literal "/etc") (literal "/tmp") (literal "/var"))';

function statementText(
  statement: Statement,
  index: number,
  confinement: SeatbeltPlan["confinement"],
  parameters: Map<string, string>,
): string {
  if (statement.kind === "deny-pattern") {
    return `(deny file-read* file-write* (regex #"${statement.pattern}"))`;
  }
  const { kind, path } = statement;
  if (kind === "root") {
    const write = writeRule(path, index, confinement, parameters);
    return `(allow file-read* (subpath (param "ROOT_${index}")))\n${write}`;
  }
  const name = `PATH_${index}`;
  const place = subtree(name, path, parameters);
  switch (kind) {
    case "read":
      return `(allow file-read* ${place})`;
    case "only-read":
      return `(allow file-read* ${place})\n(deny file-write* ${place})`;
    case "write-all":
      return `(allow file-read* file-write* ${place})`;
    case "deny":
      return `(deny file-read* file-write* ${place})`;
    case "pin":
      return `(deny file-write-unlink (literal (param "${name}")))`;
    case "traverse":
      return `(allow file-read-metadata (literal (param "${name}")))`;
  }
}

/** Returns the filter for a path and everything below it. */
function subtree(name: string, path: string, parameters: Map<string, string>): string {
  parameters.set(name, path);
  return `(literal (param "${name}")) (subpath (param "${name}"))`;
}

function networkOf({ network, unixSockets, proxyPort, rules }: SeatbeltPlan): string {
  const isOpen = rules?.root === "open";
  if (proxyPort !== undefined) {
    const proxy = `(allow network-outbound (remote ip "localhost:${proxyPort}"))\n${certificates}`;
    return isOpen ? `(deny network*)\n${proxy}` : proxy;
  }
  if (isOpen) return network ? "" : "(deny network*)";
  return network ? networkRules(unixSockets) : "";
}

/** Services that check certificates; they resolve no names for a command. */
const certificates = `(allow mach-lookup
  (global-name "com.apple.SecurityServer")
  (global-name "com.apple.trustd.agent"))`;

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

/** Executing is permitted; everything not permitted here is refused. */
const basics = `(version 1)
(deny default)
(allow process-exec)
(allow process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
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
