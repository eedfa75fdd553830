import { expect, test } from "vitest";
import { findCommand } from "../../src/cli/find-command.js";
import { parseCommand } from "../../src/cli/parse.js";
import { commands, root } from "../../src/cli/table.js";

// `cloud` has the subcommand `apply` and nothing else; alone it is refused with that hint.
const alone = commands.map(({ name }) => name).filter((name) => name !== "cloud");

test.each(alone)(
  "%s without a word behind it is what it is with none but the end of options",
  async (name) => {
    const { command } = await findCommand(root, [name]);

    expect(parseCommand(command, [])).toEqual(parseCommand(command, ["--"]));
  },
);
