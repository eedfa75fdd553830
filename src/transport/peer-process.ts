import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { processNumbers } from "../lib/process-table.js";
import {
  carriesMark,
  findOwnDescendants,
  mayHaveDescendants,
  type OwnDescendants,
} from "../lib/process-tree.js";
import { isLoopback } from "./address.js";

/**
 * Returns true if the peer of a connection is a command of ours, or descends from one.
 *
 * A command with network access can reach our ports and may have read the token; if accepted, it
 * could ask us to run commands that its sandbox forbids. The peer is found by the owner of its
 * socket, on Linux only. While commands share our network, a peer whose owner cannot be found
 * counts as one of them: it may be hiding by forking. Before any command has run, only sandboxed
 * processes are checked, which may belong to another server.
 */
export function isOwnCommand(socket: Socket): boolean {
  if (process.platform !== "linux") return false;
  const { remotePort, localPort, remoteAddress } = socket;
  if (remotePort === undefined || localPort === undefined || remoteAddress === undefined) {
    // Already disconnected; nothing it has sent counts.
    return true;
  }
  if (!isOfThisMachine(remoteAddress)) return false;
  if (!mayHaveDescendants()) return isInSandbox(remotePort, localPort);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const all = findOwnDescendants();
    const suspects = [...all.descendants].filter(sharesNetwork);
    const answer = judgeOwner(socketInodes(remotePort, localPort), suspects, all);
    if (answer !== undefined) return answer;
    if (suspects.length === 0) return false;
  }
  return true;
}

const attempts = 3;

/** Returns true if the owner is in a sandbox of any server: those have separate PID namespaces. */
function isInSandbox(remotePort: number, localPort: number): boolean {
  const numbers = linkOf("/proc/self/ns/pid");
  const elsewhere = processNumbers().filter((pid) => {
    const link = linkOf(`/proc/${pid}/ns/pid`);
    // Listing sockets takes the kernel milliseconds, so it is done only if one of them may connect.
    return link !== undefined && link !== numbers && sharesNetwork(pid);
  });
  if (elsewhere.length === 0) return false;
  const links = toLinks(socketInodes(remotePort, localPort));
  const owner = elsewhere.find((pid) => holds(pid, links));
  return owner !== undefined && carriesMark(owner, findOwnDescendants().entries);
}

/** Returns undefined if the owner was not found. */
function judgeOwner(
  inodes: readonly string[],
  suspects: readonly number[],
  { entries, descendants }: OwnDescendants,
): boolean | undefined {
  if (inodes.length === 0) return undefined;
  const links = toLinks(inodes);
  if (suspects.some((pid) => holds(pid, links))) return true;
  for (const pid of entries.keys()) {
    if (descendants.has(pid) || !holds(pid, links)) continue;
    return carriesMark(pid, entries);
  }
  return undefined;
}

/** Returns the inodes of sockets with these ports; 0 stands for one without an owner. */
function socketInodes(local: number, remote: number): string[] {
  const inodes = new Set<string>();
  for (const file of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    for (const line of readLines(file)) {
      const fields = line.trim().split(/\s+/);
      const [, from = "", to = ""] = fields;
      if (portOf(from) === local && portOf(to) === remote) inodes.add(fields[9] ?? "0");
    }
  }
  inodes.delete("0");
  return [...inodes];
}

function toLinks(inodes: readonly string[]): ReadonlySet<string> {
  return new Set(inodes.map((inode) => `socket:[${inode}]`));
}

function portOf(address: string): number {
  return Number.parseInt(address.split(":")[1] ?? "", 16);
}

function holds(pid: number, links: ReadonlySet<string>): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((name) => links.has(linkOf(`${folder}/${name}`) ?? ""));
  } catch {
    return false;
  }
}

/**
 * A process in a separate network namespace cannot reach our ports. If it cannot be read, it may
 * share ours.
 */
function sharesNetwork(pid: number): boolean {
  const network = linkOf(`/proc/${pid}/ns/net`);
  return network === undefined || network === linkOf("/proc/self/ns/net");
}

function isOfThisMachine(address: string): boolean {
  if (isLoopback(address)) return true;
  const bare = address.replace(/^::ffff:/, "");
  return Object.values(networkInterfaces()).some((list) =>
    list?.some((one) => one.address === bare),
  );
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "latin1").split("\n").slice(1);
  } catch {
    return [];
  }
}
