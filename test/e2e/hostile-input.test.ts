import fc from "fast-check";
import { expect, test } from "vitest";
import { says } from "../support/model.js";
import { startProgram } from "../support/program.js";

const seed = fc.readConfigureGlobal().seed ?? Date.now() % 1_000_000;
const lineCount = 10_000;

const goodLines = [
  { id: "a", op: { type: "interrupt" } },
  { id: "b", op: { type: "get_path" } },
  { id: "c", op: { type: "override_turn_context", effort: null, model: "gpt-5" } },
  { id: "d", op: { type: "exec_approval", id: "nobody", decision: "approved" } },
  { id: "e", op: { type: "user_turn", items: [], cwd: "relative" } },
  { id: "f", op: { type: "user_input", items: [] } },
].map((line) => JSON.stringify(line));

const types = ["user_turn", "user_input", "interrupt", "configure_session_", "review", "x", ""];

/** Lines that no well-behaved client sends; an embedded newline makes two of them. */
const hostileLine = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.json(),
  fc
    .constantFrom(...goodLines)
    .chain((line) => fc.nat(line.length).map((end) => line.slice(0, end))),
  fc
    .constantFrom(...goodLines)
    .chain((line) =>
      fc
        .tuple(fc.nat(line.length), fc.string())
        .map(([at, junk]) => line.slice(0, at) + junk + line.slice(at + junk.length)),
    ),
  fc
    .record({
      id: fc.anything(),
      op: fc.record({ type: fc.constantFrom(...types), items: fc.anything() }),
    })
    .map((value) => JSON.stringify(value) ?? "null"),
  fc.nat(600).map((depth) => `{"id":"deep","op":${"[".repeat(depth)}${"]".repeat(depth)}}`),
  fc.constant('{"id":"p","op":{"type":"interrupt","__proto__":{"polluted":true}}}'),
  fc.nat(20).map((size) => JSON.stringify({ id: "long", op: { type: "x".repeat(size * 1000) } })),
);

test(`${lineCount} lines of bad, cut and hostile input neither crash nor hang it (seed ${seed})`, async () => {
  await using program = await startProgram({ args: ["proto"], model: [says("Still alive.")] });
  await program.until<{ msg: { type: string } }>(({ msg }) => msg.type === "session_configured");
  const lines = fc.sample(hostileLine, { numRuns: lineCount, seed });

  for (const line of lines) {
    const bytes = Buffer.from(`${line}\n`, line.length % 5 === 0 ? "latin1" : "utf8");
    if (!program.child.stdin.write(bytes)) {
      await new Promise((resolve) => program.child.stdin.once("drain", resolve));
    }
  }
  program.send({
    id: "after",
    op: { type: "user_input", items: [{ type: "text", text: "hello?" }] },
  });
  const end = await program.until<Wire>(
    ({ id, msg }) => id === "after" && msg.type === "task_complete",
  );
  program.send({ id: "bye", op: { type: "shutdown" } });
  await program.until<Wire>(({ id, msg }) => id === "bye" && msg.type === "shutdown_complete");

  expect(end.msg.last_agent_message).toBe("Still alive.");
  const errors = (program.lines as Wire[]).filter(({ msg }) => msg.type === "error");
  expect(errors.length).toBeGreaterThan(lineCount / 4);
  expect(errors.every(({ msg }) => typeof msg.message === "string" && msg.message !== "")).toBe(
    true,
  );
  expect(program.stderr()).toBe("");
}, 60_000);

test("a bad line is answered under its id, or under none, and the program continues", async () => {
  await using program = await startProgram({ args: ["proto"], model: [says("Fine.")] });

  program.write(
    '{"id":"x","op":\n[1,2]\n{"id":"u","op":{"type":"make_coffee"}}\n{"op":{"type":"interrupt"}}\n',
  );
  program.send({ id: "t", op: { type: "user_input", items: [{ type: "text", text: "go" }] } });
  await program.until<Wire>(({ id, msg }) => id === "t" && msg.type === "task_complete");

  const errors = (program.lines as Wire[]).filter(({ msg }) => msg.type === "error");
  expect(errors.map(({ id }) => id)).toEqual(["x", "", "u", ""]);
  expect(errors[2]?.msg.message).toContain('There is no op "make_coffee"');
});

interface Wire {
  id: string;
  msg: { type: string; message?: string; last_agent_message?: string };
}
