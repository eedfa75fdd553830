import { describe, expect, test } from "vitest";
import { assembleBpf } from "../../src/sandbox/bpf.js";
import { type FilterOptions, seccompProgram } from "../../src/sandbox/seccomp.js";
import { type SyscallName, type SyscallTable, syscallTables } from "../../src/sandbox/syscalls.js";
import { runBpf } from "./support/bpf-machine.js";

const allow = 0x7fff0000;
const refuse = 0x00050001;
const kill = 0x80000000;

const AF = { unix: 1n, inet: 2n, inet6: 10n, netlink: 16n, packet: 17n, bluetooth: 31n, alg: 38n };
const SOCK = { stream: 1n, dgram: 2n, raw: 3n, seqpacket: 5n, cloexec: 0o2000000n };

describe.each(["x64", "arm64"])("the filter for %s", (arch) => {
  const table = syscallTables.get(arch) as SyscallTable;
  const judge = (options: FilterOptions, name: SyscallName, args: bigint[] = []) =>
    runBpf(seccompProgram(table, options), {
      number: table.numbers[name],
      arch: table.auditArch,
      args,
    });
  const off: FilterOptions = { network: false };
  const on: FilterOptions = { network: true };

  test("refuses looking into other processes, rings and kernel interfaces in every case", () => {
    const names: SyscallName[] = [
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

    const verdicts = [off, on].flatMap((options) => names.map((name) => judge(options, name)));

    expect(new Set(verdicts)).toEqual(new Set([refuse]));
  });

  test("refuses everything that makes or takes a connection without network", () => {
    const names: SyscallName[] = [
      "connect",
      "accept",
      "accept4",
      "bind",
      "listen",
      "sendmmsg",
      "recvmmsg",
      "setsockopt",
    ];

    expect(names.map((name) => judge(off, name))).toEqual(names.map(() => refuse));
    expect(names.map((name) => judge(on, name))).toEqual(names.map(() => allow));
  });

  test("permits sending over a socket pair but not to an address", () => {
    const to = (address: bigint) => judge(off, "sendto", [3n, 0n, 1n, 0n, address]);

    expect(to(0n)).toBe(allow);
    expect(to(0x7fff_0000_1000n)).toBe(refuse);
    expect(to(1n << 40n)).toBe(refuse);
    expect(judge(on, "sendto", [3n, 0n, 1n, 0n, 4096n])).toBe(allow);
  });

  test("opens only connected Unix sockets without network", () => {
    const families = Object.values(AF).filter((family) => family !== AF.unix);

    for (const call of ["socket", "socketpair"] as const) {
      expect(judge(off, call, [AF.unix, SOCK.stream | SOCK.cloexec])).toBe(allow);
      expect(judge(off, call, [AF.unix, SOCK.seqpacket])).toBe(allow);
      expect(judge(off, call, [AF.unix, SOCK.dgram])).toBe(refuse);
      expect(judge(off, call, [AF.unix, SOCK.raw])).toBe(refuse);
      expect(families.map((family) => judge(off, call, [family, SOCK.stream]))).toEqual(
        families.map(() => refuse),
      );
    }
  });

  test("opens IP sockets but no Unix sockets with network, unless the user allows them", () => {
    const open = (options: FilterOptions, family: bigint, protocol = 0n) =>
      judge(options, "socket", [family, SOCK.stream, protocol]);

    expect(open(on, AF.inet)).toBe(allow);
    expect(open(on, AF.inet6)).toBe(allow);
    expect(open(on, AF.netlink)).toBe(allow);
    expect(open(on, AF.netlink, 12n)).toBe(refuse);
    expect(open(on, AF.unix)).toBe(refuse);
    expect(open(on, AF.packet)).toBe(refuse);
    expect(open(on, AF.alg)).toBe(refuse);
    expect(open({ network: true, unixSockets: true }, AF.unix)).toBe(allow);
    expect(open({ network: false, unixSockets: true }, AF.inet)).toBe(refuse);
  });

  test("[security H10] opens no pair of datagram sockets with network, unless the user allows Unix sockets", () => {
    const pair = (options: FilterOptions, type: bigint) =>
      judge(options, "socketpair", [AF.unix, type]);

    expect(pair(on, SOCK.stream)).toBe(allow);
    expect(pair(on, SOCK.seqpacket | SOCK.cloexec)).toBe(allow);
    expect(pair(on, SOCK.dgram)).toBe(refuse);
    expect(pair(on, SOCK.dgram | SOCK.cloexec)).toBe(refuse);
    expect(pair(on, SOCK.raw)).toBe(refuse);
    expect(pair({ network: true, unixSockets: true }, SOCK.dgram)).toBe(allow);
    expect(pair({ network: false, unixSockets: true }, SOCK.dgram)).toBe(refuse);
  });

  test("refuses typing into a terminal, whatever the upper half of the request is", () => {
    expect(judge(off, "ioctl", [0n, 0x5412n])).toBe(refuse);
    expect(judge(off, "ioctl", [0n, 0x5412n | (1n << 32n)])).toBe(refuse);
    expect(judge(off, "ioctl", [0n, 0x541cn])).toBe(refuse);
    expect(judge(off, "ioctl", [0n, 0x5401n])).toBe(allow);
  });

  test("ends a process that speaks another calling convention", () => {
    const program = seccompProgram(table, off);

    expect(runBpf(program, { number: 1, arch: 0x40000003 })).toBe(kill);
  });

  test("allows a call it does not know", () => {
    const program = seccompProgram(table, off);

    expect(runBpf(program, { number: 999, arch: table.auditArch })).toBe(allow);
  });
});

test("calls of the x32 convention are refused", () => {
  const table = syscallTables.get("x64") as SyscallTable;
  const program = seccompProgram(table, { network: true });

  expect(runBpf(program, { number: 0x40000000 + 39, arch: table.auditArch })).toBe(refuse);
  expect(runBpf(program, { number: 0xffffffff, arch: table.auditArch })).toBe(refuse);
});

test("there is no table for an architecture that is not known", () => {
  const found = ["mips", "ia32", "__proto__"].map((arch) => syscallTables.has(arch));

  expect(found).toEqual([false, false, false]);
});

test("a jump to a label that is missing, behind or too far away is an error", () => {
  const far = Array.from({ length: 300 }, () => ({ op: "return", value: 0 }) as const);
  const jump = { op: "jump-if", test: "equal", value: 0, to: "end" } as const;
  const label = { op: "label", name: "end" } as const;
  const last = { op: "return", value: 0 } as const;

  expect(() => assembleBpf([jump, last])).toThrow("end");
  expect(() => assembleBpf([label, jump, last])).toThrow("end");
  expect(() => assembleBpf([jump, ...far, label, last])).toThrow("end");
});
