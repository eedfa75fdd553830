import { assembleBpf, type BpfStep } from "./bpf.js";
import type { SyscallName, SyscallTable } from "./syscalls.js";

/** Network access that a filter permits. */
export interface FilterOptions {
  /** Permits IP sockets. */
  network: boolean;
  /** Permits connections to Unix sockets, which reach every daemon of the host; requires `network`. */
  unixSockets?: boolean;
  /** Refuses new processes; threads are permitted. */
  threadsOnly?: boolean;
}

/**
 * Builds the seccomp program of a confined command; system calls not named here are permitted.
 *
 * Always refused: inspecting other processes, io_uring (it bypasses any filter), kernel keys and
 * typing into a terminal. The error is EPERM, except for a foreign calling convention, whose
 * numbers mean other calls: that kills the process.
 *
 * Reading the state of a socket and shutting down one half stay permitted without network: they
 * affect only sockets that a process already has, and Node's child processes communicate over such
 * socket pairs.
 */
export function seccompProgram(table: SyscallTable, options: FilterOptions): Buffer {
  return assembleBpf([
    { op: "load", offset: archOffset },
    { op: "jump-unless", test: "equal", value: table.auditArch, to: "kill" },
    { op: "load", offset: numberOffset },
    ...refuseForeign(table),
    ...refuse(table, always),
    ...(options.network ? [] : refuse(table, withoutNetwork)),
    ...(options.network ? [] : refuseSendToAddress(table)),
    ...(options.threadsOnly === true ? refuseProcesses(table) : []),
    ...inspectIoctl(table),
    ...inspectSocket(table, "socket", socketRules(options)),
    ...inspectSocket(table, "socketpair", pairRules(options)),
    { op: "label", name: "allow" },
    { op: "return", value: actions.allow },
    { op: "label", name: "refuse" },
    { op: "return", value: actions.refuse },
    { op: "label", name: "missing" },
    { op: "return", value: actions.missing },
    { op: "label", name: "kill" },
    { op: "return", value: actions.kill },
  ]);
}

const numberOffset = 0;
const archOffset = 4;
const firstArgument = 16;
const low = (argument: number) => firstArgument + argument * 8;
const high = (argument: number) => low(argument) + 4;

const EPERM = 1;
const ENOSYS = 38;
const actions = {
  allow: 0x7fff0000,
  refuse: 0x00050000 | EPERM,
  missing: 0x00050000 | ENOSYS,
  kill: 0x80000000,
};

/** Builds the program of a command that only denied paths confine: it permits every call. */
export function openProgram(): Buffer {
  return assembleBpf([{ op: "return", value: actions.allow }]);
}

const always: readonly SyscallName[] = [
  "ptrace",
  "process_vm_readv",
  "process_vm_writev",
  "pidfd_getfd",
  "io_uring_setup",
  "io_uring_enter",
  "io_uring_register",
  "bpf",
  "perf_event_open",
  "userfaultfd",
  "keyctl",
  "add_key",
  "request_key",
];

const withoutNetwork: readonly SyscallName[] = [
  "connect",
  "accept",
  "accept4",
  "bind",
  "listen",
  "sendmmsg",
  "recvmmsg",
  "setsockopt",
];

const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const SOCK_STREAM = 1;
const SOCK_SEQPACKET = 5;
const socketTypeMask = 0xf;
const NETLINK_ROUTE = 0;

/** A permitted address family, with its required type or protocol. */
interface SocketRule {
  family: number;
  types?: readonly number[];
  protocol?: number;
}

const unixOnly: readonly SocketRule[] = [{ family: AF_UNIX }];

/** A datagram socket gets an address with each message, which a filter cannot inspect. */
const unixConnectedOnly: readonly SocketRule[] = [
  { family: AF_UNIX, types: [SOCK_STREAM, SOCK_SEQPACKET] },
];

const ip: readonly SocketRule[] = [
  { family: AF_INET },
  { family: AF_INET6 },
  // Resolvers query the kernel for addresses; changing them requires a capability that was dropped.
  { family: AF_NETLINK, protocol: NETLINK_ROUTE },
];

function socketRules({ network, unixSockets }: FilterOptions): readonly SocketRule[] {
  if (!network) return unixConnectedOnly;
  return unixSockets ? [...unixOnly, ...ip] : ip;
}

/** One end of a datagram socket pair can be connected to any other socket of the host. */
function pairRules({ network, unixSockets }: FilterOptions): readonly SocketRule[] {
  return network && unixSockets ? unixOnly : unixConnectedOnly;
}

function refuseForeign({ foreignFrom }: SyscallTable): BpfStep[] {
  if (foreignFrom === undefined) return [];
  return [{ op: "jump-if", test: "at-least", value: foreignFrom, to: "refuse" }];
}

function refuse({ numbers }: SyscallTable, names: readonly SyscallName[]): BpfStep[] {
  return names.map((name) => ({
    op: "jump-if",
    test: "equal",
    value: numbers[name],
    to: "refuse",
  }));
}

/** `send` on a socket pair is `sendto` without an address, and stays permitted. */
function refuseSendToAddress({ numbers }: SyscallTable): BpfStep[] {
  const address = 4;
  return [
    { op: "jump-unless", test: "equal", value: numbers.sendto, to: "not-sendto" },
    { op: "load", offset: low(address) },
    { op: "jump-unless", test: "equal", value: 0, to: "refuse" },
    { op: "load", offset: high(address) },
    { op: "jump-unless", test: "equal", value: 0, to: "refuse" },
    { op: "return", value: actions.allow },
    { op: "label", name: "not-sendto" },
  ];
}

/** Flag of `clone` for a thread of the same process. */
const CLONE_THREAD = 0x10000;

/**
 * Permits threads only. A filter cannot read the flags of `clone3`, so that it seems to be missing and
 * the C library uses `clone`. `fork` and `vfork` exist on x64 only.
 */
function refuseProcesses({ numbers }: SyscallTable): BpfStep[] {
  return [
    { op: "jump-if", test: "equal", value: numbers.clone3, to: "missing" },
    ...oldForks(numbers.clone).map(
      (value): BpfStep => ({ op: "jump-if", test: "equal", value, to: "refuse" }),
    ),
    { op: "jump-unless", test: "equal", value: numbers.clone, to: "not-clone" },
    { op: "load", offset: low(0) },
    { op: "and", value: CLONE_THREAD },
    { op: "jump-unless", test: "equal", value: CLONE_THREAD, to: "refuse" },
    { op: "return", value: actions.allow },
    { op: "label", name: "not-clone" },
  ];
}

/** Numbers of `fork` and `vfork` on x64, where they follow `clone`. */
function oldForks(clone: number): number[] {
  return clone === 56 ? [57, 58] : [];
}

function inspectIoctl({ numbers }: SyscallTable): BpfStep[] {
  const request = 1;
  return [
    { op: "jump-unless", test: "equal", value: numbers.ioctl, to: "not-ioctl" },
    // The kernel reads only the low half, so a number with high bits set is the same request.
    { op: "load", offset: low(request) },
    { op: "jump-if", test: "equal", value: TIOCSTI, to: "refuse" },
    { op: "jump-if", test: "equal", value: TIOCLINUX, to: "refuse" },
    { op: "return", value: actions.allow },
    { op: "label", name: "not-ioctl" },
  ];
}

function inspectSocket(
  { numbers }: SyscallTable,
  name: "socket" | "socketpair",
  rules: readonly SocketRule[],
): BpfStep[] {
  return [
    { op: "jump-unless", test: "equal", value: numbers[name], to: `not-${name}` },
    ...rules.flatMap((rule) => allowSocket(rule, `${name}-${rule.family}`)),
    { op: "return", value: actions.refuse },
    { op: "label", name: `not-${name}` },
  ];
}

function allowSocket(rule: SocketRule, name: string): BpfStep[] {
  return [
    { op: "load", offset: low(0) },
    { op: "jump-unless", test: "equal", value: rule.family, to: `after-${name}` },
    ...conditionOf(rule),
    { op: "label", name: `after-${name}` },
  ];
}

function conditionOf({ types, protocol }: SocketRule): BpfStep[] {
  if (types === undefined && protocol === undefined)
    return [{ op: "return", value: actions.allow }];
  const looked: BpfStep[] =
    types === undefined
      ? [{ op: "load", offset: low(2) }]
      : [
          { op: "load", offset: low(1) },
          { op: "and", value: socketTypeMask },
        ];
  const allowed = types ?? (protocol === undefined ? [] : [protocol]);
  return [
    ...looked,
    ...allowed.map((value): BpfStep => ({ op: "jump-if", test: "equal", value, to: "allow" })),
    { op: "return", value: actions.refuse },
  ];
}
