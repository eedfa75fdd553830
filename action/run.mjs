// Runs `quire exec` for the GitHub Action, and passes its final message on: as an output, in the summary of the job, and
// as a comment if that is wanted.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const own =
  /^QUIRE_(PROMPT|PROMPT_FILE|API_KEY|MODEL|SANDBOX|WORKING_DIRECTORY|OUTPUT_SCHEMA|MAX_SECONDS|MAX_TOKENS|COMMENT|GITHUB_TOKEN)$/;
/** Files through which a step changes later steps, and tokens of the job: nothing for commands of a model. */
const ofRunner = /^(GITHUB_(OUTPUT|ENV|PATH|STATE|STEP_SUMMARY)|ACTIONS_\w+)$/;
const input = (name) => process.env[`QUIRE_${name}`] || undefined;

const prompt = input("PROMPT");
const promptFile = input("PROMPT_FILE");
if ((prompt === undefined) === (promptFile === undefined)) {
  fail("Set exactly one of the inputs `prompt` and `prompt-file`");
}
if (!["true", "false", undefined].includes(input("COMMENT"))) {
  fail(`Expected the input \`comment\` to be "true" or "false" (got "${input("COMMENT")}")`);
}
const cwd = input("WORKING_DIRECTORY") ?? ".";
if (promptFile !== undefined && !existsSync(join(cwd, promptFile))) {
  fail(`The input \`prompt-file\` names a file that does not exist: ${promptFile}`);
}

const { code, message } = runExec();
report(code, message);
if (input("COMMENT") === "true" && message !== "") await comment(message);
process.exitCode = code;

function runExec() {
  const folder = mkdtempSync(join(tmpdir(), "quire-action-"));
  const last = join(folder, "last-message.md");
  const flags = [
    ["--sandbox", input("SANDBOX")],
    ["--model", input("MODEL")],
    ["--output-schema", input("OUTPUT_SCHEMA")],
    ["--max-seconds", input("MAX_SECONDS")],
    ["--max-tokens", input("MAX_TOKENS")],
  ].flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
  const { status, error } = withoutWorkflowCommands(() =>
    spawnSync("quire", ["exec", ...flags, "-o", last, "-"], {
      cwd,
      input: prompt ?? readFileSync(join(cwd, promptFile), "utf8"),
      stdio: ["pipe", "inherit", "inherit"],
      env: environment(),
    }),
  );
  if (error !== undefined) fail(`\`quire exec\` could not be started: ${error.message}`);
  const message = existsSync(last) ? readFileSync(last, "utf8") : "";
  rmSync(folder, { recursive: true, force: true });
  return { code: status ?? 1, message };
}

/** Lets the runner print lines such as `::set-output` of the model and of commands, instead of obeying them. */
function withoutWorkflowCommands(run) {
  const token = randomUUID();
  writeSync(1, `::stop-commands::${token}\n`);
  try {
    return run();
  } finally {
    writeSync(1, `\n::${token}::\n`);
  }
}

/** The environment of the agent: without the inputs, so that its commands see neither the key nor the token. */
function environment() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !own.test(name) && !ofRunner.test(name),
  );
  return { ...Object.fromEntries(kept), CODEX_API_KEY: input("API_KEY") ?? "" };
}

function report(code, message) {
  const end = `end-${randomUUID()}`;
  const outputs = `exit-code=${code}\nfinal-message<<${end}\n${message}\n${end}\n`;
  if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, outputs);
  if (process.env.GITHUB_STEP_SUMMARY)
    appendFileSync(process.env.GITHUB_STEP_SUMMARY, `${message}\n`);
}

async function comment(message) {
  const event = JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH, "utf8"));
  const number = event.pull_request?.number ?? event.issue?.number;
  if (number === undefined) {
    fail(
      "The input `comment` needs an event of a pull request or an issue; set it to false for others",
    );
  }
  const url = `${process.env.GITHUB_API_URL}/repos/${process.env.GITHUB_REPOSITORY}/issues/${number}/comments`;
  const response = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${input("GITHUB_TOKEN")}`,
      accept: "application/vnd.github+json",
      "content-type": "application/json",
    },
    body: JSON.stringify({ body: shortened(message) }),
  });
  if (!response.ok) {
    const reason = `${response.status} ${(await response.text()).slice(0, 300)}`;
    fail(
      `The comment was refused: ${reason}. The job needs the permission \`pull-requests: write\` or \`issues: write\``,
    );
  }
}

/** GitHub refuses a comment of more than 65,536 characters. */
function shortened(message) {
  const most = 65_000;
  return message.length <= most ? message : `${message.slice(0, most)}\n\n… (shortened)`;
}

function fail(message) {
  console.error(`::error::${message.replaceAll("\n", " ")}`);
  process.exit(2);
}
