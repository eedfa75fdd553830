/** Input of a seccomp program. */
export interface CallData {
  number: number;
  arch: number;
  args?: readonly bigint[];
}

/** Runs a classic BPF program on a call, like the kernel, and returns its result. */
export function runBpf(program: Buffer, { number, arch, args = [] }: CallData): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(arch >>> 0, 4);
  for (const [index, value] of args.entries()) {
    data.writeBigUInt64LE(BigInt.asUintN(64, value), 16 + index * 8);
  }
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at++) {
    const code = program.readUInt16LE(at * 8);
    const value = program.readUInt32LE(at * 8 + 4);
    const jump = (taken: boolean) => program.readUInt8(at * 8 + (taken ? 2 : 3));
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x54) accumulator = (accumulator & value) >>> 0;
    else if (code === 0x15) at += jump(accumulator === value);
    else if (code === 0x35) at += jump(accumulator >= value);
    else if (code === 0x06) return value;
    else throw new Error(`Unknown instruction 0x${code.toString(16)} at ${at}`);
  }
  throw new Error("The program has no end");
}
