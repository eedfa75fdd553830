import { defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { configOptions } from "../options/config-options.js";
import { visibleLines } from "../print/visible.js";
import { UsageError } from "../usage-error.js";
import { loadUserConfig } from "../user-config.js";

/** Applies the diff of a task that ran in the cloud. */
export const apply = defineCommand({
  name: "apply",
  summary: "Apply the diff of a task in Codex Cloud to the repository here",
  operands: "TASK_ID",
  mostOperands: 1,
  options: configOptions,
  details: [
    "It needs a sign-in with ChatGPT, whose tasks these are, and applies the diff by `git apply`.",
    "For a patch of your own there are `quire apply-patch` and `git apply`.",
  ].join("\n"),
  async run({ values, positionals: [task] }, io) {
    if (task === undefined) throw new UsageError("Name a task: quire apply TASK_ID");
    const [{ fetchCloudDiff }, { gitApply }] = await Promise.all([
      import("../apply/cloud-diff.js"),
      import("../apply/git-apply.js"),
    ]);
    const config = await loadUserConfig(values, io);
    const diff = await fetchCloudDiff(task, config, io.env, io.signal);
    const { isApplied, output } = await gitApply(diff, {
      cwd: io.cwd,
      env: io.env,
      home: config.home,
    });
    if (output !== "") io.stderr.write(visibleLines(output));
    io.stderr.write(isApplied ? "Successfully applied diff\n" : "The diff was not applied\n");
    return isApplied ? exitCodes.ok : exitCodes.failed;
  },
});
