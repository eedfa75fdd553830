import { withProgramName } from "../../lib/program-name.js";
import { defineCommand } from "../command.js";
import { bashScript } from "../completion/bash.js";
import { readCompletionTree } from "../completion/completion-tree.js";
import { fishScript } from "../completion/fish.js";
import { powershellScript } from "../completion/powershell.js";
import { zshScript } from "../completion/zsh.js";
import { exitCodes, UsageError } from "../exit-codes.js";

/** Writes what a shell needs to complete our commands. */
export const completion = defineCommand({
  name: "completion",
  summary: "Write the completion for a shell: bash, zsh, fish or powershell",
  operands: "[SHELL]",
  mostOperands: 1,
  options: {},
  details: [
    "In ~/.bashrc, in ~/.zshrc below compinit, and for fish:",
    "  source <(quire completion bash)",
    "  source <(quire completion zsh)",
    "  quire completion fish > ~/.config/fish/completions/quire.fish",
  ].join("\n"),
  async run({ positionals: [shell = "bash"] }, io) {
    const script = scripts.get(shell);
    if (script === undefined) {
      throw new UsageError(
        `There is none for ${shell}; there are ${[...scripts.keys()].join(", ")}`,
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
