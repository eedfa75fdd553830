import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { calls, says } from "../../support/model.js";
import { hasTmux, startTerminal } from "../../support/terminal.js";

const onePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe.skipIf(!(await hasTmux()))("dialogs and attachments", () => {
  test("an image dropped on the terminal is attached to the message", async () => {
    await using terminal = await startTerminal({ model: [says("A dot.")] });
    await terminal.until("Describe a task");
    const path = join(terminal.workspace, "dot.png");
    await writeFile(path, Buffer.from(onePixel, "base64"));

    await terminal.tmux("set-buffer", path);
    await terminal.tmux("paste-buffer", "-p");
    await terminal.until("[Image #1]");
    await terminal.type("what is this?");
    await terminal.keys("Enter");

    await terminal.until("A dot.");
    const sent = JSON.stringify(terminal.model.requests[0]?.body);
    expect(sent).toContain(`data:image/png;base64,${onePixel}`);
    expect(sent).toContain("what is this?");
  });

  test("v shows the whole command, and the approval stays open", async () => {
    const script = Array.from({ length: 60 }, (_, index) => `touch step${index}`).join("\n");
    await using terminal = await startTerminal({
      config: 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"',
      model: [calls("shell", { command: ["bash", "-c", script] }), says("Never mind.")],
    });
    await terminal.until("Describe a task");
    await terminal.type("many steps");
    await terminal.keys("Enter");
    await terminal.until("more lines (v to view all)");

    await terminal.type("v");
    await terminal.until("q to close");
    await terminal.keys("G");
    await terminal.until("touch step59");
    await terminal.keys("q");
    await terminal.until("Allow this command to run?");
    await terminal.type("n");

    await terminal.until("Never mind.");
    expect(JSON.stringify(terminal.model.requests[1]?.body)).toContain("rejected by user");
  });

  test("a permission request is shown in full, and `a` grants it for the session", async () => {
    await using terminal = await startTerminal({
      config:
        'approval_policy = "on-request"\nsandbox_mode = "read-only"\nfeatures.request_permissions_tool = true',
      model: [
        calls("request_permissions", {
          reason: "To publish the page",
          permissions: { network: { enabled: true }, file_system: { write: ["."] } },
        }),
        says("Thank you."),
      ],
    });
    await terminal.until("Describe a task");
    await terminal.type("publish");
    await terminal.keys("Enter");
    const screen = await terminal.until("Allow these additional permissions?");
    expect(screen).toContain("To publish the page");
    expect(screen).toContain("• use the network");
    expect(screen).toMatch(/• write \//);

    await terminal.type("a");

    await terminal.until("Thank you.");
    const request = JSON.stringify(terminal.model.requests[1]?.body);
    expect(request).toContain(JSON.stringify(JSON.stringify(terminal.workspace)).slice(1, -1));
    expect(request).toContain('\\"scope\\":\\"session\\"');
  });

  test("quire resume --last continues the last session", async () => {
    await using first = await startTerminal({ model: [says("I remember nine.")] });
    await first.until("Describe a task");
    await first.type("remember nine");
    await first.keys("Enter");
    await first.until(/nine\.[\s\S]*tokens/);
    await first.keys("C-d");
    await first.until("ended with 0");

    await first.restart("resume", "--last");
    const screen = await first.until(/resumed[\s\S]*Describe a task/);

    expect(screen).toContain("› remember nine");
    expect(screen).toContain("• I remember nine.");
  });
});
