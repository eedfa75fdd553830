import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Check, type CheckContext, Skipped } from "../check.js";
import { copySuites, findCodexSource } from "../codex-source.js";
import { inspectedText } from "../inspected.js";
import { runToEnd } from "../run-to-end.js";
import { openScene, type Scene } from "../scene.js";
import { linkSubject } from "../subject.js";
import { readJestReport, readJunitReport, type SuiteReport } from "../suite-report.js";

const pythonBounds: Bounds = { tests: 68, mayFail: 2, mustPass: "goal_operation" };

/** The suites of the official SDKs, from a checkout of their repository, run on our program. */
export const sdkSuites: readonly Check[] = [
  suite("python", pythonBounds, runPython),
  suite("typescript", { tests: 44, mayFail: 0 }, runTypeScript),
];

interface Bounds {
  /** As many as there are in the version that the bound was set for; newer ones have more. */
  tests: number;
  mayFail: number;
  /** Part of the names of tests that do not depend on the speed of the machine. */
  mustPass?: string;
}

interface Place {
  scene: Scene;
  /** The folder with the SDK's package. */
  folder: string;
  /** The program that it is given. */
  codex: string;
}

/** Runs the tests of the Python SDK; throws if too many fail. */
export const runPythonSuite = (context: CheckContext, bounds: Bounds = pythonBounds) =>
  suite("python", bounds, runPython).run(context);

function suite(
  language: string,
  { tests, mayFail, mustPass }: Bounds,
  runSuite: (place: Place, context: CheckContext) => Promise<SuiteReport>,
): Check {
  const run = async (context: CheckContext) => {
    const source = findCodexSource(process.env);
    await using scene = await openScene(() => ({ script: [], model: "gpt-5.5" }), context);
    await copySuites(source, scene.workspace);
    await runToEnd(["git", "init", "-q"], { cwd: scene.workspace, env: scene.env }, context);
    const codex = await linkSubject(scene, context);
    const place = { scene, folder: join(scene.workspace, "sdk", language), codex };
    const { passed, failed } = await runSuite(place, context);
    const total = passed + failed.length;
    const names = failed.length === 0 ? "" : `; failed: ${failed.join(", ")}`;
    const inspected = context.inspects ? `; ${await inspectedText(scene)}` : "";
    const words = `${language} SDK: ${passed} of ${total} tests passed${names}${inspected}`;
    if (total < tests || failed.length > mayFail) {
      throw new Error(`${words} (expected at least ${tests} tests, ${mayFail} of them failing)`);
    }
    if (mustPass !== undefined && failed.some((name) => name.includes(mustPass))) {
      throw new Error(`${words} (all of ${mustPass} must pass)`);
    }
    return words;
  };
  return { name: `sdk-${language}-suite`, short: false, run };
}

/** Those of its tests that talk to the program; the others are about how the package is made. */
const pythonTests = [
  "test_app_server_approvals.py",
  "test_app_server_goal_operations.py",
  "test_app_server_inputs.py",
  "test_app_server_lifecycle.py",
  "test_app_server_login.py",
  "test_app_server_run.py",
  "test_app_server_streaming.py",
  "test_app_server_turn_controls.py",
  "test_async_client_behavior.py",
  "test_client_rpc_methods.py",
  "test_mcp_conformance_fixtures.py",
  "test_public_api_runtime_behavior.py",
];

async function runPython({ scene, folder, codex }: Place, context: CheckContext) {
  // Replaces the package that contains the reference's program.
  const packages = join(dirname(codex), "python");
  await mkdir(packages);
  await writeFile(join(packages, "codex_cli_bin.py"), runtimePackage(codex));
  const place = { cwd: folder, env: { ...scene.env, PYTHONPATH: packages } };
  const needed = ["python3", "-c", "import pytest, pydantic"];
  const found = await runToEnd(needed, place, context);
  if (found.code !== 0) {
    throw new Skipped("it needs python3 with pytest and pydantic: pip install pytest pydantic");
  }
  const report = join(packages, "report.xml");
  const options = ["-q", "-p", "no:cacheprovider", `--junitxml=${report}`];
  const tests = pythonTests.map((name) => join("tests", name));
  const { output } = await runToEnd(
    ["python3", "-m", "pytest", ...options, ...tests],
    place,
    context,
  );
  return readJunitReport(await readReport(report, output));
}

const runtimePackage = (codex: string) => `from pathlib import Path

def bundled_codex_path():
    return Path(${JSON.stringify(codex)})

def bundled_path_dir():
    return None
`;

const JEST = "29.7.0";
const besideJest = [
  "ts-jest@29.4.5",
  "ts-jest-mock-import-meta@1.3.1",
  "typescript@5.9.3",
  "@types/jest@29.5.14",
  "@types/node@20.19.18",
  "@modelcontextprotocol/sdk@1.24.0",
];

async function runTypeScript({ scene, folder, codex }: Place, context: CheckContext) {
  const jest = await context.packages.library("jest", JEST, besideJest);
  await symlink(dirname(jest), join(folder, "node_modules"));
  const report = join(dirname(codex), "report.json");
  const env = { ...scene.env, CODEX_EXEC_PATH: codex };
  // The tests of MCP are about other programs, which they fetch from a repository.
  const options = [
    "--testPathIgnorePatterns",
    "mcpConformance",
    "--json",
    `--outputFile=${report}`,
  ];
  const { output } = await runToEnd(
    [process.execPath, join(jest, "bin", "jest.js"), ...options],
    { cwd: folder, env },
    context,
  );
  return readJestReport(await readReport(report, output));
}

async function readReport(path: string, output: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch {
    throw new Error(`the suite ended without a report: ${output.slice(-2000).trim()}`);
  }
}
