/** One instruction of a classic BPF program, with unresolved jump labels. */
export type BpfStep =
  | { op: "label"; name: string }
  /** Loads the 32-bit word at this offset of the input. */
  | { op: "load"; offset: number }
  | { op: "and"; value: number }
  /** Jumps to `to` if the comparison holds; continues otherwise. */
  | { op: "jump-if"; test: "equal" | "at-least"; value: number; to: string }
  | { op: "jump-unless"; test: "equal" | "at-least"; value: number; to: string }
  | { op: "return"; value: number };

const codes = { load: 0x20, and: 0x54, return: 0x06, equal: 0x15, "at-least": 0x35 } as const;
const longestJump = 255;
const instructionSize = 8;

/**
 * Assembles steps into kernel format: eight bytes per instruction, little-endian.
 *
 * Throws for a label that is missing, before its jump, or too far away: these are bugs in the
 * caller.
 */
export function assembleBpf(steps: readonly BpfStep[]): Buffer {
  const labels = labelPositions(steps);
  const instructions = steps.filter((step) => step.op !== "label");
  const program = Buffer.alloc(instructions.length * instructionSize);
  for (const [index, step] of instructions.entries()) {
    const { code, ifTrue, ifFalse, value } = encode(step, index, labels);
    const at = index * instructionSize;
    program.writeUInt16LE(code, at);
    program.writeUInt8(ifTrue, at + 2);
    program.writeUInt8(ifFalse, at + 3);
    program.writeUInt32LE(value >>> 0, at + 4);
  }
  return program;
}

function labelPositions(steps: readonly BpfStep[]): Map<string, number> {
  const labels = new Map<string, number>();
  let index = 0;
  for (const step of steps) {
    if (step.op === "label") labels.set(step.name, index);
    else index++;
  }
  return labels;
}

function encode(
  step: Exclude<BpfStep, { op: "label" }>,
  index: number,
  labels: Map<string, number>,
) {
  const plain = { ifTrue: 0, ifFalse: 0 };
  if (step.op === "load") return { ...plain, code: codes.load, value: step.offset };
  if (step.op === "and") return { ...plain, code: codes.and, value: step.value };
  if (step.op === "return") return { ...plain, code: codes.return, value: step.value };
  const distance = (labels.get(step.to) ?? -1) - index - 1;
  if (distance < 0 || distance > longestJump)
    throw new Error(`BPF jump to ${step.to} is not possible`);
  const taken =
    step.op === "jump-if" ? { ifTrue: distance, ifFalse: 0 } : { ifTrue: 0, ifFalse: distance };
  return { ...taken, code: codes[step.test], value: step.value };
}
