import { join } from "node:path";
import { CodexError } from "../../protocol/error.js";
import { checkValues } from "../check/check-values.js";
import { type Origin, placeOf } from "../check/report.js";
import { featureFacts, findFeature } from "../feature-names.js";
import type { ConfigLayer } from "../layers/layer.js";
import { readTextIfThere } from "../layers/read-file.js";
import type { RequirementsToml } from "../schema/requirements.js";
import { writeKey } from "../toml/key.js";
import { newTable, parseToml, type Table } from "../toml/table.js";
import { hookProblems } from "./hooks.js";
import { identityProblem } from "./mcp-servers.js";
import { permissionProblems } from "./permissions.js";
import { type RequiredRule, Requirements, type RequirementsContent } from "./requirements.js";
import { requirementsShape } from "./shape.generated.js";

/** A mistake in requirements.toml, or a key that is not enforced. */
interface Problem {
  path: readonly string[];
  reason: string;
}

/**
 * Reads the requirements of the administrator; undefined if there are none.
 *
 * Throws if anything in the file is not understood or not enforced: a rule that is passed over would
 * permit what the administrator forbids.
 */
export async function readRequirements(sources: {
  folder: string;
  /** True if there is a file requirements.toml, even an unreadable one. */
  isThere: boolean;
  managed: ConfigLayer | undefined;
}): Promise<Requirements | undefined> {
  const { folder } = sources;
  const file = join(folder, "requirements.toml");
  const { text, table } = sources.isThere ? await readFile(file) : { text: "", table: newTable() };
  const values = table as RequirementsToml;
  const problems = findProblems(table, values);
  if (problems.length > 0) throw toError(problems, { name: file, text });
  const managed = toManaged(sources.managed, join(folder, "managed_config.toml"));
  if (Object.keys(table).length === 0 && Object.keys(managed).length === 1) return undefined;
  const requirements = new Requirements({
    values,
    file,
    managed,
    features: fixedFeatures(values),
    rules: toRules(values),
    placeOf: (path) => placeOf(path, { name: file, text }),
    text,
  });
  assertPossible(requirements, [file, managed.file]);
  return requirements;
}

async function readFile(file: string): Promise<{ text: string; table: Table }> {
  try {
    const text = readTextIfThere(file);
    if (text !== undefined) return { text, table: await parseToml(text, file) };
  } catch (error) {
    const { message, data } = error as CodexError;
    const known = { ...(data as object), reason: "requirements" };
    throw new CodexError("config", message, { data: known, cause: error });
  }
  const message = `Cannot read ${file}: it is a link without a target`;
  throw new CodexError("config", message, { data: { reason: "requirements", source: file } });
}

function findProblems(table: Table, values: RequirementsToml): Problem[] {
  const { problems, unknown, ignored } = checkValues(table, requirementsShape);
  const wrong = problems.map(({ path, expected, got }) => ({
    path,
    reason: `must be ${expected}, not ${got}`,
  }));
  const found = [
    ...wrong,
    ...unknown.map((path) => ({ path, reason: "is an unknown key" })),
    ...ignored.map((path) => ({ path, reason: "is not enforced here" })),
  ];
  // The other checks rely on the types.
  if (wrong.length > 0) return found;
  return [
    ...found,
    ...listProblems(values),
    ...featureProblems(values),
    ...serverProblems(values),
    ...ruleProblems(values),
    ...permissionProblems(values),
    ...hookProblems(values),
  ];
}

function toError(problems: readonly Problem[], origin: Origin): CodexError {
  const lines = problems.map(
    ({ path, reason }) => `${placeOf(path, origin)}: \`${writeKey([...path])}\` ${reason}`,
  );
  const remedy =
    "Nothing is started, because requirements that are passed over would forbid nothing: ask the " +
    "administrator to correct the file.";
  return new CodexError("config", [...lines, remedy].join("\n"), {
    data: { reason: "requirements", key: problems[0]?.path, source: origin.name },
  });
}

function listProblems(values: RequirementsToml): Problem[] {
  const problems: Problem[] = [];
  const { allowed_sandbox_modes: modes, allowed_approvals_reviewers: reviewers } = values;
  if (modes !== undefined && !modes.includes("read-only")) {
    problems.push({ path: ["allowed_sandbox_modes"], reason: "must include read-only" });
  }
  if (reviewers !== undefined && !reviewers.includes("user")) {
    const reason = "must include user: there is no other reviewer here";
    problems.push({ path: ["allowed_approvals_reviewers"], reason });
  }
  for (const key of ["allowed_approval_policies", "allowed_login_methods"] as const) {
    if (values[key]?.length === 0) problems.push({ path: [key], reason: "must not be empty" });
  }
  return problems;
}

/** A feature without a switch here holds only if it is in the required state anyway. */
function featureProblems(values: RequirementsToml): Problem[] {
  return (["features", "feature_requirements"] as const).flatMap((table) =>
    Object.entries(values[table] ?? {}).flatMap(([key, required]): Problem[] => {
      const path = [table, key];
      const name = findFeature(key);
      if (name === undefined) return [{ path, reason: "is an unknown feature" }];
      const { hasEffect, defaultEnabled } = featureFacts(name);
      if (hasEffect || defaultEnabled === required) return [];
      const state = defaultEnabled ? "always on" : "missing";
      return [{ path, reason: `cannot be ${required}: the feature is ${state} here` }];
    }),
  );
}

function fixedFeatures({ features, feature_requirements }: RequirementsToml) {
  const all = Object.entries({ ...features, ...feature_requirements });
  return new Map(all.map(([key, isOn]) => [findFeature(key) ?? key, isOn]));
}

function serverProblems({ mcp_servers: servers = {} }: RequirementsToml): Problem[] {
  return Object.entries(servers).flatMap(([name, { identity }]) => {
    const reason = identityProblem(identity);
    return reason === undefined ? [] : [{ path: ["mcp_servers", name], reason }];
  });
}

function ruleProblems({ rules }: RequirementsToml): Problem[] {
  return (rules?.prefix_rules ?? []).flatMap((rule, index): Problem[] => {
    const path = ["rules", "prefix_rules", String(index)];
    const { pattern = [], decision, justification } = rule;
    const isWhole = pattern.every(
      ({ token, any_of }) =>
        (token === undefined) !== (any_of === undefined || any_of.length === 0),
    );
    if (pattern.length === 0) return [{ path, reason: "must have a `pattern` that is not empty" }];
    if (!isWhole) {
      return [{ path, reason: "must have either `token` or `any_of` at each position" }];
    }
    if (decision === undefined) {
      return [{ path, reason: 'must have a `decision`, "prompt" or "forbidden"' }];
    }
    return justification?.trim() === ""
      ? [{ path, reason: "has a `justification` that is empty" }]
      : [];
  });
}

function toRules({ rules }: RequirementsToml): RequiredRule[] {
  return (rules?.prefix_rules ?? []).map(({ pattern = [], decision, justification }) => ({
    pattern: pattern.map(({ token, any_of }) => any_of ?? [token ?? ""]),
    decision: decision ?? "forbidden",
    ...(justification === undefined ? {} : { justification }),
  }));
}

/** In the administrator's older file these keys restrict all other values. */
function toManaged(layer: ConfigLayer | undefined, file: string): RequirementsContent["managed"] {
  const { approval_policy, approvals_reviewer, sandbox_mode } = layer?.values ?? {};
  const given = { approval_policy, approvals_reviewer, sandbox_mode };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(set), file };
}

/** Throws if no approval policy is allowed by both files. */
function assertPossible({ approval }: Requirements, files: readonly string[]): void {
  if (approval.values?.length !== 0) return;
  const message =
    `${files.join(" and ")} allow no approval policy together. Ask the administrator to let ` +
    "`allowed_approval_policies` include the `approval_policy` of managed_config.toml.";
  throw new CodexError("config", message, { data: { reason: "requirements" } });
}
