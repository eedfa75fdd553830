import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { requestPermissions } from "../../src/tools/request-permissions.js";
import type { AskedPermissions, ToolContext } from "../../src/tools/tool.js";

/** Runs the tool in a temporary folder; `problem` is the sandbox's objection to every path. */
async function run(args: unknown, problem?: string) {
  const cwd = mkdtempSync(join(tmpdir(), "quire-permissions-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const asked: AskedPermissions[] = [];
  const context = {
    turn: { cwd },
    async askPermissions(request: AskedPermissions) {
      asked.push(request);
      return { permissions: request.permissions, scope: "turn" };
    },
  } as unknown as ToolContext;
  const tool = requestPermissions({ grantProblem: () => problem as never });
  const output = await tool.run({ text: JSON.stringify(args) }, context);
  return { cwd, asked, output };
}

test("paths are resolved from the working folder, once each", async () => {
  const permissions = { file_system: { write: ["a", "./a", "b"], read: ["/etc"] } };
  const { asked, cwd, output } = await run({ permissions, reason: "To build." });

  expect(asked).toEqual([
    {
      permissions: { file_system: { read: ["/etc"], write: [join(cwd, "a"), join(cwd, "b")] } },
      reason: "To build.",
    },
  ]);
  expect(JSON.parse(output.text)).toMatchObject({ scope: "turn" });
});

test("the network alone can be requested", async () => {
  const { asked } = await run({ permissions: { network: { enabled: true } } });

  expect(asked).toEqual([{ permissions: { network: { enabled: true } } }]);
});

test.each([
  ["nothing", {}, "request_permissions requires at least one permission"],
  [
    "a disabled network",
    { network: { enabled: false } },
    "request_permissions requires at least one permission",
  ],
  [
    "empty lists",
    { file_system: { read: [], write: [] } },
    "request_permissions requires at least one permission",
  ],
  [
    "an empty path",
    { file_system: { read: [""] } },
    "request_permissions: an empty path leads nowhere",
  ],
  [
    "too many paths",
    { file_system: { read: Array.from({ length: 33 }, (_, at) => `p${at}`) } },
    "request_permissions takes at most 32 paths; ask for the folder that holds them",
  ],
])("%s is refused without asking the user", async (_, permissions, message) => {
  const { asked, output } = await run({ permissions });

  expect(output).toEqual({ text: message, success: false });
  expect(asked).toEqual([]);
});

test("a path that the sandbox cannot grant is refused with advice", async () => {
  const permissions = { file_system: { write: ["new/file"] } };
  const { output, cwd } = await run({ permissions }, "does not exist");

  expect(output.text).toBe(
    `request_permissions: ${join(cwd, "new/file")} cannot be granted for writing: it does not exist; ask for the folder in which it is to be made`,
  );
});

test("another environment is refused", async () => {
  const { output } = await run({
    environment_id: "cloud",
    permissions: { network: { enabled: true } },
  });

  expect(output.text).toBe("unknown turn environment id `cloud`");
});
