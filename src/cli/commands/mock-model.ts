import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { errorText } from "../../lib/errors.js";
import { programName } from "../../lib/program-name.js";
import type { Script, ScriptedServer } from "../../model/scripted/index.js";
import { type CommandIo, defineCommand } from "../command.js";

/** Runs a scripted model server on this machine. */
export const mockModel = defineCommand({
  name: "mock-model",
  summary: "Run a scripted model server for tests",
  operands: "SCRIPT.json",
  options: {
    port: {
      type: "string",
      value: "N",
      default: "0",
      help: "Port on 127.0.0.1; 0 picks a free one",
    },
  },
  details: [
    "The script is a list of answers, one per request; an answer is a list of steps:",
    '  [[{"call":"shell","args":{"command":["ls"]}}], [{"message":"Done."}]]',
    "docs/scripted-model.md describes the steps. The server runs until it is interrupted.",
  ].join("\n"),
  run: ({ values, positionals }, io) => serve({ files: positionals, port: values.port }, io),
});

/**
 * Serves a script until the signal aborts.
 *
 * Returns the exit code: 0 when served, 1 when the script or the port cannot be used, 2 when it was
 * called in a wrong way.
 */
async function serve(
  { files, port }: { files: string[]; port: string },
  io: CommandIo,
): Promise<number> {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0) {
    return refuse(
      io,
      2,
      `mock-model takes one script: ${programName()} mock-model SCRIPT.json [--port N]`,
    );
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    return refuse(io, 2, `Expected --port to be a number from 0 to 65535 (got ${port})`);
  }
  const script = await readScript(resolve(io.cwd, file), file);
  if ("problem" in script) return refuse(io, 1, script.problem);
  const server = await listen(script.script, Number(port), io);
  if ("problem" in server) return refuse(io, 1, `${file}: ${server.problem}`);

  io.stdout.write(welcomeText(server.server.baseUrl));
  if (!io.signal.aborted) await once(io.signal, "abort");
  await server.server.close();
  return 0;
}

async function readScript(
  path: string,
  name: string,
): Promise<{ script: unknown } | { problem: string }> {
  try {
    return { script: JSON.parse(await readFile(path, "utf8")) };
  } catch (error) {
    const what = error instanceof SyntaxError ? "is not JSON" : "cannot be read";
    return { problem: `${name} ${what}: ${errorText(error)}` };
  }
}

async function listen(
  script: unknown,
  port: number,
  { stderr }: CommandIo,
): Promise<{ server: ScriptedServer } | { problem: string }> {
  const { checkScript, listenScriptedModel } = await import("../../model/scripted/index.js");
  const onRequest = ({ number, status }: { number: number; status: number }) =>
    stderr.write(`request ${number}: ${status}\n`);
  try {
    const checked: Script = checkScript(script);
    const server = await listenScriptedModel({ script: checked, port, record: false, onRequest });
    return { server };
  } catch (error) {
    return { problem: errorText(error) };
  }
}

function welcomeText(baseUrl: string): string {
  return `Scripted model at ${baseUrl}

Point quire or codex at it in config.toml:

  model = "scripted"
  model_provider = "scripted"

  [model_providers.scripted]
  name = "Scripted model"
  base_url = "${baseUrl}"
  wire_api = "responses"

or for one run:

  -c model=scripted -c model_provider=scripted \\
  -c 'model_providers.scripted={name="Scripted model",base_url="${baseUrl}",wire_api="responses"}'

`;
}

function refuse({ stderr }: CommandIo, code: number, problem: string): number {
  stderr.write(`${programName()}: ${problem}\n`);
  return code;
}
