/** System calls that the filter uses. */
export type SyscallName = keyof typeof x64;

/** System call numbers and conventions of an architecture. */
export interface SyscallTable {
  /** The kernel's identifier of the calling convention. */
  auditArch: number;
  numbers: Readonly<Record<SyscallName, number>>;
  /** Numbers from here on belong to a second convention with the same `auditArch`. */
  foreignFrom?: number;
}

const x64 = {
  accept: 43,
  accept4: 288,
  add_key: 248,
  bind: 49,
  bpf: 321,
  clone: 56,
  clone3: 435,
  connect: 42,
  io_uring_enter: 426,
  io_uring_register: 427,
  io_uring_setup: 425,
  ioctl: 16,
  keyctl: 250,
  listen: 50,
  perf_event_open: 298,
  pidfd_getfd: 438,
  process_vm_readv: 310,
  process_vm_writev: 311,
  ptrace: 101,
  recvmmsg: 299,
  request_key: 249,
  sendmmsg: 307,
  sendto: 44,
  setsockopt: 54,
  socket: 41,
  socketpair: 53,
  userfaultfd: 323,
} as const;

const arm64: Record<SyscallName, number> = {
  accept: 202,
  accept4: 242,
  add_key: 217,
  bind: 200,
  bpf: 280,
  clone: 220,
  clone3: 435,
  connect: 203,
  io_uring_enter: 426,
  io_uring_register: 427,
  io_uring_setup: 425,
  ioctl: 29,
  keyctl: 219,
  listen: 201,
  perf_event_open: 241,
  pidfd_getfd: 438,
  process_vm_readv: 270,
  process_vm_writev: 271,
  ptrace: 117,
  recvmmsg: 243,
  request_key: 218,
  sendmmsg: 269,
  sendto: 206,
  setsockopt: 208,
  socket: 198,
  socketpair: 199,
  userfaultfd: 282,
};

/** Tables of the architectures with known system call numbers, by Node name; others have no sandbox. */
export const syscallTables: ReadonlyMap<string, SyscallTable> = new Map([
  // The x32 convention has the identifier of x86-64 and sets a high bit in its call numbers.
  ["x64", { auditArch: 0xc000003e, numbers: x64, foreignFrom: 0x40000000 }],
  ["arm64", { auditArch: 0xc00000b7, numbers: arm64 }],
]);
