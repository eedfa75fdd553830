import { existsSync } from "node:fs";
import { codexHome, ignoredText, loadConfig } from "../../config/index.js";
import { errorText } from "../../lib/errors.js";
import { withProgramName } from "../../lib/program-name.js";
import { type CommandIo, defineCommand } from "../command.js";
import { type Check, type Finding, failed, ok, warning } from "../doctor/check.js";
import {
  checkGit,
  checkHome,
  checkNode,
  checkSandbox,
  checkTerminal,
  checkTerminalDevice,
} from "../doctor/machine.js";
import { exitCodes } from "../exit-codes.js";
import { requireEra } from "../identity.js";
import {
  assertKnownKeys,
  type ConfigValues,
  configOptions,
  toOverrides,
} from "../options/config-options.js";
import { columnLines, counted } from "../print.js";

/** Diagnoses the installation and prints remedies. */
export const doctor = defineCommand({
  name: "doctor",
  summary: "Diagnose installation, config, login and sandbox",
  options: {
    json: { type: "boolean", help: "Print the findings as JSON" },
    summary: { type: "boolean", help: "Print the findings without remedies" },
    all: { type: "boolean", help: "Print long findings in full" },
    ...configOptions,
  },
  details: "Exits with 1 if a check failed, otherwise with 0. Secrets are not printed.",
  async run({ values }, io) {
    const checks = await runChecks(values, io);
    const isWell = checks.every(({ status }) => status !== "failed");
    const json = () => `${JSON.stringify({ ok: isWell, checks }, null, 2)}\n`;
    io.stdout.write(values.json ? json() : checksText(checks, values));
    return isWell ? exitCodes.ok : exitCodes.failed;
  },
});

async function runChecks(values: ConfigValues, io: CommandIo): Promise<Check[]> {
  const { env, cwd } = io;
  const { home, finding } = findHome(env);
  const [sandbox, device, git, settings] = await Promise.all([
    checkSandbox(home, env),
    checkTerminalDevice(),
    checkGit(cwd, env),
    finding.status === "failed" ? [] : checkSettings(values, io),
  ]);
  return [
    { name: "Node", ...checkNode(process.versions.node) },
    { name: "Home", ...finding },
    ...settings,
    { name: "Sandbox", ...sandbox },
    { name: "PTY", ...device },
    { name: "Git", ...git },
    { name: "Terminal", ...checkTerminal(io) },
  ];
}

/** Returns the home directory; a missing one is reported as a finding. */
function findHome(env: CommandIo["env"]): { home: string; finding: Finding } {
  try {
    const home = codexHome(env);
    return { home, finding: checkHome(home) };
  } catch (error) {
    const remedy = "Create the directory, or unset CODEX_HOME";
    return { home: env.CODEX_HOME ?? "", finding: failed(errorText(error), remedy) };
  }
}

/** Checks the config, and the login, model and servers that it selects. */
async function checkSettings(values: ConfigValues, { env, cwd }: CommandIo): Promise<Check[]> {
  try {
    const config = await loadConfig({ env, cwd, flags: await toOverrides(values) });
    const [{ checkSignIn, checkModel }, { checkMcpServers }, { checkSafety }] = await Promise.all([
      import("../doctor/model.js"),
      import("../doctor/mcp.js"),
      import("../doctor/safety.js"),
    ]);
    if (values["strict-config"]) await assertKnownKeys(config);
    const { finding, auth } = await checkSignIn(config, env);
    const [model, servers] = await Promise.all([
      checkModel(config, auth, env),
      checkMcpServers(config, { env, cwd, era: requireEra(env) }),
    ]);
    const file = `${config.home}/config.toml`;
    const ignored = config.ignored.length === 0 ? [] : [ignoredText(config.ignored)];
    const odd = [...ignored, ...config.warnings].map((text) => ({
      name: "Config",
      ...warning(text, `Edit ${file}; see docs/configuration.md`),
    }));
    return [
      ...(odd.length === 0 ? [{ name: "Config", ...ok(existing(file)) }] : odd),
      ...(await checkSafety(config)),
      { name: "Sign-in", ...finding },
      { name: "Model", ...model },
      ...servers,
    ];
  } catch (error) {
    return [
      {
        name: "Config",
        ...failed(errorText(error), "Fix the config; see docs/configuration.md"),
      },
    ];
  }
}

function existing(file: string): string {
  return existsSync(file) ? file : `${file} (does not exist; the defaults are used)`;
}

function checksText(
  checks: readonly Check[],
  { summary, all }: { summary: boolean; all: boolean },
): string {
  const rows = checks.map(({ status, name, detail }) => [
    marks[status],
    name,
    all ? oneLine(detail) : short(detail),
  ]);
  const lines = columnLines(rows).flatMap((line, index) => {
    const { remedy } = checks[index] ?? {};
    return remedy === undefined || summary ? [line] : [line, `       → ${withProgramName(remedy)}`];
  });
  const count = (status: Check["status"]) =>
    checks.filter((check) => check.status === status).length;
  const sum = `${count("ok")} ok, ${counted(count("warning"), "warning")}, ${count("failed")} failed`;
  return `${lines.join("\n")}\n\n${sum}\n`;
}

/** Shortens long texts, such as the output of a server that failed; `--json` and `--all` print it in full. */
function short(text: string): string {
  const line = oneLine(text);
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}

const marks = { ok: "ok", warning: "look", failed: "FAIL" } as const;
