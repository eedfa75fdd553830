import { chmodSync, writeFileSync } from "node:fs";

/** Entry to the kernel: the usual one, or that of 32-bit programs. */
export type Entry = "syscall" | "int80";

/** A number, or a text that is passed by address. */
export type CallArgument = number | string;

/**
 * Writes an x86-64 program that makes one system call and exits with its error number, or 0.
 *
 * With it, a test can make any call without a compiler or an interpreter.
 */
export function writeCallProgram(
  path: string,
  number: number,
  args: readonly CallArgument[] = [],
  entry: Entry = "syscall",
): void {
  const registers = entry === "syscall" ? [rdi, rsi, rdx, r10, r8, r9] : [rbx, rcx, rdx, rsi, rdi];
  const texts = args.map((value) => (typeof value === "string" ? `${value}\0` : ""));
  const placeOf = (index: number) =>
    base + headers + codeSize(args.length) + Buffer.byteLength(texts.slice(0, index).join(""));
  const valueAt = (index: number, value: CallArgument) =>
    typeof value === "number" ? value : placeOf(index);
  const code = Buffer.concat([
    load(rax, number),
    ...args.map((value, index) => load(registers[index] ?? rax, valueAt(index, value))),
    entry === "syscall" ? Buffer.from([0x0f, 0x05]) : Buffer.from([0xcd, 0x80]),
    // A non-negative result means success.
    Buffer.from([0x31, 0xff]), // xor edi, edi
    Buffer.from([0x85, 0xc0]), // test eax, eax
    Buffer.from([0x79, 0x04]), // jns over the next two
    Buffer.from([0xf7, 0xd8]), // neg eax
    Buffer.from([0x89, 0xc7]), // mov edi, eax
    load(rax, 60),
    Buffer.from([0x0f, 0x05]),
  ]);
  writeFileSync(path, elf(Buffer.concat([code, Buffer.from(texts.join(""))])));
  chmodSync(path, 0o755);
}

/** Size of the code above: two loads, one for each argument, and the rest. */
function codeSize(argumentCount: number): number {
  return loadSize * (argumentCount + 2) + 14;
}

const loadSize = 10;

const [rax, rcx, rdx, rbx] = [0, 1, 2, 3];
const [rsi, rdi, r8, r9, r10] = [6, 7, 8, 9, 10];

/** mov register, 64-bit value */
function load(register: number, value: number): Buffer {
  const instruction = Buffer.alloc(loadSize);
  instruction[0] = register >= 8 ? 0x49 : 0x48;
  instruction[1] = 0xb8 + (register % 8);
  instruction.writeBigInt64LE(BigInt(value), 2);
  return instruction;
}

const base = 0x400000;
const headers = 64 + 56;

function elf(code: Buffer): Buffer {
  const size = BigInt(headers + code.length);
  const file = Buffer.alloc(headers);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  file.writeUInt16LE(2, 16); // a program
  file.writeUInt16LE(62, 18); // for x86-64
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(base + headers), 24); // starts here
  file.writeBigUInt64LE(64n, 32);
  file.writeUInt16LE(64, 52);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(1, 56);
  file.writeUInt32LE(1, 64); // one part to load,
  file.writeUInt32LE(5, 68); // to read and run
  file.writeBigUInt64LE(BigInt(base), 80);
  file.writeBigUInt64LE(BigInt(base), 88);
  file.writeBigUInt64LE(size, 96);
  file.writeBigUInt64LE(size, 104);
  file.writeBigUInt64LE(0x1000n, 112);
  return Buffer.concat([file, code]);
}
