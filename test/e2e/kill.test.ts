import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { parseRolloutLine } from "../../src/protocol/read/rollout-line.js";
import { repeats } from "../support/counts.js";
import { calls, reasons, says } from "../support/model.js";
import { startProgram } from "../support/program.js";

interface Wire {
  id: string;
  msg: { type: string; rollout_path?: string; message?: string };
}

const words = Array.from({ length: 40 }, (_, n) => `word${n} `);

/** A busy turn of about 60 ms: reasoning, a call, and an answer in many deltas. */
const busyTurn = [
  [
    ...reasons("Thinking", "More"),
    ...calls("update_plan", { plan: [{ step: "a", status: "pending" }] }),
  ],
  [{ message: words.join(""), deltas: words, pause_ms: 1 }],
  says("Next."),
];

/** Kills one program in the middle of a turn and returns its rollout and its events. */
async function killAfter(ms: number) {
  await using program = await startProgram({ args: ["proto"], model: busyTurn });
  const configured = await program.until<Wire>(({ msg }) => msg.type === "session_configured");
  program.send({ id: "t", op: { type: "user_input", items: [{ type: "text", text: "go" }] } });
  await new Promise((resolve) => setTimeout(resolve, ms));
  program.child.kill("SIGKILL");
  await program.exit;
  const text = await readFile(configured.msg.rollout_path ?? "", "utf8");
  return { text, events: (program.lines as Wire[]).map(({ msg }) => msg) };
}

const count = repeats(100, 28);

test("a kill at a random moment of a turn leaves a readable rollout", async () => {
  const moments = Array.from({ length: count }, () => Math.random() * 80);
  let complete = 0;
  for (let start = 0; start < moments.length; start += 4) {
    const killed = await Promise.all(moments.slice(start, start + 4).map(killAfter));
    for (const { text, events } of killed) {
      const lines = text.split("\n");
      // Only the last line may be incomplete.
      const whole = lines.slice(0, -1).map((line) => parseRolloutLine(JSON.parse(line)));
      expect(whole[0]?.type).toBe("session_meta");
      const recorded = whole.flatMap((line) =>
        line.type === "event_msg" ? [line.payload.type] : [],
      );
      for (const type of ["agent_message", "user_message", "task_complete"]) {
        const emitted = events.filter((msg) => msg.type === type).length;
        const wasKept = recorded.filter((kept) => kept === type).length;
        expect(wasKept).toBeGreaterThanOrEqual(emitted);
      }
      if (recorded.includes("task_complete")) complete++;
    }
  }
  // The kills must really hit the turn: neither all before nor all after it.
  expect(complete).toBeLessThan(count);
}, 120_000);

test("a kill ends the commands that run without a sandbox, also in the middle of their call", async () => {
  // The child leaves the group of its command.
  const cmd = "setsid sleep 600 & echo $! > child; echo $$ > leader; sleep 600";
  await using program = await startProgram({
    args: ["proto"],
    model: [calls("shell", { command: ["bash", "-c", cmd] })],
  });
  await program.until<Wire>(({ msg }) => msg.type === "session_configured");
  program.send({ id: "t", op: { type: "user_input", items: [{ type: "text", text: "go" }] } });
  const files = ["child", "leader"].map((name) => join(program.workspace, name));
  await vi.waitFor(() => expect(files.every((file) => existsSync(file))).toBe(true), patience);
  const pids = await Promise.all(files.map(async (file) => Number(await readFile(file, "utf8"))));

  program.child.kill("SIGKILL");
  await program.exit;

  for (const pid of pids) {
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), patience);
  }
});

/** For conditions that no line of the program reports. */
const patience = { timeout: 20_000, interval: 20 };
