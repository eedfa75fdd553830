import type { Config } from "../../config/index.js";
import { errorText } from "../../lib/errors.js";
import { counted } from "../print.js";
import { type Check, type Finding, failed, ok, warning } from "./check.js";

/** Reports what forbids: the administrator's requirements, the permission profile and the hooks. */
export async function checkSafety(config: Config): Promise<Check[]> {
  return [
    { name: "Limits", ...checkRequirements(config) },
    { name: "Profile", ...checkProfile(config) },
    { name: "Hooks", ...(await checkHooks(config)) },
  ];
}

function checkRequirements({ requirements, constrained }: Config): Finding {
  if (requirements === undefined) return ok("no requirements of an administrator");
  const keys = Object.keys(requirements.values);
  const names = keys.length === 0 ? "policies of managed_config.toml" : keys.join(", ");
  const detail = `${requirements.file}: ${names}`;
  if (constrained.length === 0) return ok(detail);
  const remedy = "Change the setting to an allowed value; see docs/requirements.md";
  return warning(`${detail}. ${constrained.join(" ")}`, remedy);
}

function checkProfile({ permissions, sandbox_policy }: Config): Finding {
  if (permissions === undefined) return ok(`none; sandbox mode ${sandbox_policy.mode}`);
  const { id, extends: parent, network } = permissions;
  const name = id ?? `sandbox mode ${sandbox_policy.mode}`;
  const denied = permissions.files.filter(({ access }) => access === "deny").length;
  const domains = Object.keys(network.domains ?? {}).length;
  const reach = domains > 0 ? `network by ${counted(domains, "domain rule")}` : "network on";
  return ok(
    [
      parent === undefined ? name : `${name} (extends ${parent})`,
      `${counted(denied, "denied path")}`,
      network.enabled ? reach : "no network",
    ].join(", "),
  );
}

async function checkHooks({ hooks, hook_states }: Config): Promise<Finding> {
  if (hooks.length === 0) return ok("none");
  const { loadHooks, isTrusted } = await import("../../hooks/index.js");
  try {
    const loaded = loadHooks(hooks, hook_states).hooks;
    const enabled = loaded.filter(({ isEnabled }) => isEnabled);
    const waiting = enabled.filter((hook) => !isTrusted(hook));
    const detail = [
      `${enabled.length - waiting.length} trusted`,
      ...(waiting.length === 0 ? [] : [`${waiting.length} not trusted`]),
      ...(enabled.length === loaded.length ? [] : [`${loaded.length - enabled.length} disabled`]),
    ].join(", ");
    if (waiting.length === 0) return ok(detail);
    const keys = waiting.map(({ key }) => key).join(", ");
    return warning(
      `${detail}: ${keys}`,
      "Review them with `quire hooks list`, then `quire hooks trust`",
    );
  } catch (error) {
    return failed(errorText(error), "Correct the hooks; see docs/hooks.md");
  }
}
