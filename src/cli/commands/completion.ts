import { withProgramName } from "../../lib/program-name.js";
import { defineCommand } from "../command.js";
import { bashScript } from "../completion/bash.js";
import { readCompletionTree } from "../completion/completion-tree.js";
import { fishScript } from "../completion/fish.js";
import { powershellScript } from "../completion/powershell.js";
import { zshScript } from "../completion/zsh.js";
import { exitCodes, UsageError } from "../exit-codes.js";

/** Generates the completion script of a shell. */
export const completion = defineCommand({
  name: "completion",
  summary: "Generate a shell completion script",
  operands: "[SHELL]",
  mostOperands: 1,
  options: {},
  details: [
    "SHELL is bash (default), zsh, fish or powershell. Add one of these to ~/.bashrc or ~/.zshrc (after compinit), or write the file for fish:",
    "  source <(quire completion bash)",
    "  source <(quire completion zsh)",
    "  quire completion fish > ~/.config/fish/completions/quire.fish",
  ].join("\n"),
  async run({ positionals: [shell = "bash"] }, io) {
    const script = scripts.get(shell);
    if (script === undefined) {
      throw new UsageError(
        `Expected SHELL to be one of ${[...scripts.keys()].join(", ")} (got ${shell})`,
      );
    }
    const { root } = await import("../table.js");
    io.stdout.write(withProgramName(script(await readCompletionTree(root))));
    return exitCodes.ok;
  },
});

const scripts = new Map([
  ["bash", bashScript],
  ["zsh", zshScript],
  ["fish", fishScript],
  ["powershell", powershellScript],
]);
