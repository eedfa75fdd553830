import { assembleBpf, type BpfStep } from "./bpf.js";
import type { SyscallName, SyscallTable } from "./syscalls.js";

/** What a filter leaves of the network. */
export interface FilterOptions {
  /** IP sockets are allowed. */
  network: boolean;
  /** Unix sockets may be connected, which reaches every daemon of the host; needs `network`. */
  unixSockets?: boolean;
}

/**
 * The seccomp program put over a confined command; all that is not named here is allowed.
 *
 * Looking into other processes, asynchronous rings (they go around any filter), kernel keys and
 * typing into a terminal are refused in every case. The refusal is "operation not permitted", except
 * for a foreign calling convention, whose numbers mean other calls: that ends the process.
 *
 * Reading a socket's state and closing one half of it stay allowed without network: they concern only
 * sockets a process already has, and Node's own child processes talk over such socket pairs.
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
    ...inspectIoctl(table),
    ...inspectSocket(table, "socket", socketRules(options)),
    ...inspectSocket(table, "socketpair", pairRules(options)),
    { op: "label", name: "allow" },
    { op: "return", value: actions.allow },
    { op: "label", name: "refuse" },
    { op: "return", value: actions.refuse },
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
const actions = { allow: 0x7fff0000, refuse: 0x00050000 | EPERM, kill: 0x80000000 };

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

/** A family that may be used, and what its type or its protocol must be. */
interface SocketRule {
  family: number;
  types?: readonly number[];
  protocol?: number;
}

const unixOnly: readonly SocketRule[] = [{ family: AF_UNIX }];

/** A datagram socket takes an address with each message, out of reach of a filter. */
const unixConnectedOnly: readonly SocketRule[] = [
  { family: AF_UNIX, types: [SOCK_STREAM, SOCK_SEQPACKET] },
];

const ip: readonly SocketRule[] = [
  { family: AF_INET },
  { family: AF_INET6 },
  // Resolvers ask the kernel for its addresses; changing them takes a right that is gone.
  { family: AF_NETLINK, protocol: NETLINK_ROUTE },
];

function socketRules({ network, unixSockets }: FilterOptions): readonly SocketRule[] {
  if (!network) return unixConnectedOnly;
  return unixSockets ? [...unixOnly, ...ip] : ip;
}

/** One end of a pair of datagram sockets can be pointed at any other socket of the host. */
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

/** `send` on a socket pair is `sendto` without an address, and works. */
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

function inspectIoctl({ numbers }: SyscallTable): BpfStep[] {
  const request = 1;
  return [
    { op: "jump-unless", test: "equal", value: numbers.ioctl, to: "not-ioctl" },
    // The kernel looks at the low half only, so a number with anything above it is the same request.
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
