import type { Answer } from "../src/model/scripted/index.js";

/** Number of model answers per turn. */
export const answersPerTurn = 4;

/**
 * Answers of one turn: reasoning, a message with a command, a file change, a read, and the end.
 *
 * Each part carries a unique mark, so that it can be found or missed.
 */
export function turnAnswers(name: string): Answer[] {
  const mark = (part: string) => `<${name}.${part}>`;
  const response = (n: number) => ({ completed: true as const, id: `resp_${name}.${n}` });
  const patch = [
    "*** Begin Patch",
    `*** Add File: ${fileOf(name)}`,
    `+${mark("file")}`,
    "*** End Patch",
  ].join("\n");
  return [
    [
      { reasoning: `Thinking ${mark("thought")}`, id: `rs_${name}` },
      { pause_ms: 2 },
      { message: `Looking ${mark("looking")}`, deltas: 8, pause_ms: 1 },
      { call: "shell", args: { command: ["echo", mark("echo")] }, call_id: `call_${name}.echo` },
      response(0),
    ],
    [{ apply_patch_via_shell: patch, call_id: `call_${name}.patch` }, response(1)],
    [
      { message: `Waiting ${mark("waiting")}` },
      {
        call: "shell",
        args: { command: ["sh", "-c", `sleep 0.02; echo '${mark("slow")}'`] },
        call_id: `call_${name}.slow`,
      },
      { pause_ms: 2 },
      response(2),
    ],
    [{ message: `Done ${mark("done")} ${"x".repeat(5000)}`, deltas: 500 }, response(3)],
  ];
}

/** The file that the turn writes. */
export function fileOf(name: string): string {
  return `${name}.txt`;
}

/** The marks in a text. */
export function marksIn(text: string): string[] {
  return [...text.matchAll(/<[\w-]+\.\w+>/g)].map(([mark]) => mark);
}
