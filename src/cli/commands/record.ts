import { resolve } from "node:path";
import { type Command, defineCommand } from "../command.js";
import { exitCodes, UsageError } from "../exit-codes.js";

/** Runs another command and records its traffic with the model. */
export const record = defineCommand({
  name: "record",
  summary: "Record the model's responses of a run to a cassette",
  operands: "FILE -- exec ARGUMENTS…",
  verbatimAfter: 1,
  options: {
    "no-redact": { type: "boolean", help: "Record keys and tokens as they are" },
  },
  details: [
    "Runs `quire exec` or `quire review` with the arguments and exits with its exit code.",
    "Replay the file with `quire exec --replay FILE`, without network and login.",
    "docs/cassettes.md describes how requests are compared.",
  ].join("\n"),
  async run({ values, positionals }, io) {
    const [file, ...given] = positionals;
    const args = given[0] === "--" ? given.slice(1) : given;
    if (file === undefined || file === "" || args.length === 0) {
      throw new UsageError(
        "`record` needs a file and a command: `quire record FILE -- exec PROMPT`",
      );
    }
    if (!["exec", "e", "review"].includes(args[0] ?? "")) {
      throw new UsageError(
        `\`record\` runs \`exec\` or \`review\` (got \`${args[0]}\`): \`quire record FILE -- exec PROMPT\``,
      );
    }
    const { command, input } = await parse(args);
    const { help, version, era } = input.values;
    if (help || version) {
      throw new UsageError(
        `\`--${help ? "help" : "version"}\` records nothing: use it without \`record\``,
      );
    }
    const cassette = { file: resolve(io.cwd, file), redact: !values["no-redact"] };
    const env = typeof era === "string" ? { ...io.env, QUIRE_ERA: era } : io.env;
    return command.run(input as never, { ...io, env, record: cassette });
  },
});

/** The commands that can be recorded. */
const recordable: Command = defineCommand({
  name: "",
  summary: "",
  options: {},
  verbs: [
    {
      name: "exec",
      summary: "",
      aliases: ["e"],
      load: async () => (await import("./exec.js")).exec,
    },
    {
      name: "review",
      summary: "",
      load: async () => (await import("./exec-review.js")).execReview,
    },
  ],
  run: async () => exitCodes.usage,
});

async function parse(args: string[]) {
  const [{ findCommand }, { parseCommand }] = await Promise.all([
    import("../find-command.js"),
    import("../parse.js"),
  ]);
  const { command, args: own, globals } = await findCommand(recordable, args);
  const input: { values: Record<string, unknown>; positionals: string[] } = parseCommand(command, [
    ...globals,
    ...own,
  ]);
  return { command, input };
}
