import Type, { type Static } from "typebox";
import { absentFeatures, retiredFeatures } from "./feature-names.js";
import { absent, each, retired } from "./ignored.js";
import { Count, setting, TextList } from "./setting.js";

/** A feature that a project may enable or disable. */
function feature(text: string, on?: boolean) {
  return setting(Type.Boolean(), {
    text,
    since: "0.98",
    project: true,
    ...(on === undefined ? {} : { default: on }),
  });
}

/** A feature that sends data off the machine: a project may only disable it. */
function outgoing(text: string) {
  return setting(Type.Boolean(), { text, since: "0.98", project: [false], default: false });
}

/** A feature that is always enabled. */
function always() {
  return setting(Type.Boolean(), {
    text: "Always enabled.",
    since: "0.98",
    default: true,
    ignored: [true],
  });
}

function olderName(name: string) {
  const text = `Older name of \`${name}\`.`;
  const project = name === "web_search_request" ? ([false] as const) : true;
  return setting(Type.Boolean(), { text, since: "0.98", project, alias: `features.${name}` });
}

export const CodeModeToml = Type.Object(
  {
    enabled: setting(Type.Boolean(), {
      text: "Offers `exec`; the same as `features.code_mode = true`.",
      since: "0.166",
      project: true,
    }),
    default_exec_yield_time_ms: setting(Count(), {
      text: "Time after which a running script returns its output so far, in milliseconds.",
      default: 30_000,
      since: "0.166",
      project: true,
    }),
    direct_only_tool_namespaces: setting(TextList, {
      text: "Namespaces of tools, such as `mcp__docs`, that the model calls directly and scripts do not have.",
      since: "0.166",
      project: true,
    }),
    excluded_tool_namespaces: setting(TextList, {
      text: "Namespaces of tools that scripts do not have.",
      since: "0.166",
      project: true,
    }),
  },
  { $id: "CodeModeToml", description: "Scripts that call tools." },
);
export interface CodeModeToml extends Static<typeof CodeModeToml> {}

export const FeaturesToml = Type.Object(
  {
    undo: feature("Stores the files that turns change, so that a rewind can restore them.", true),
    unified_exec: feature("Offers persistent terminals instead of one-shot commands."),
    shell_tool: feature("Offers a shell tool.", true),
    apply_patch_freeform: feature("Offers `apply_patch` as a freeform tool."),
    view_image_tool: feature("Same as `tools.view_image`."),
    web_search_request: outgoing("Live web search; same as `tools.web_search`."),
    web_search_cached: outgoing("Web search in pages cached by the provider."),
    responses_websockets: feature(
      "Sends requests to the built-in provider `openai` over a WebSocket; same as `supports_websockets` of another provider.",
    ),
    exec_policy: always(),
    request_rule: always(),
    steer: always(),
    collaboration_modes: always(),
    personality: always(),
    shell_snapshot: feature(
      "Restores a snapshot of the user's bash startup files for commands instead of reading them each time.",
      true,
    ),
    request_permissions_tool: setting(Type.Boolean(), {
      text: "Offers a tool that requests permissions beyond the sandbox.",
      since: "0.166",
      default: false,
      project: [false],
    }),
    apply_patch_streaming_events: setting(Type.Boolean(), {
      text: "Notifies clients of a patch while the model writes it.",
      since: "0.166",
      default: false,
      project: true,
    }),
    step_model_switching: setting(Type.Boolean(), {
      text: "Lets clients change the model and the effort of a running turn.",
      since: "0.166",
      default: false,
      project: true,
    }),
    code_mode: setting(Type.Union([Type.Boolean(), CodeModeToml]), {
      text: "Offers `exec`, which runs scripts that call tools. Default: if the model works with scripts.",
      since: "0.166",
      project: true,
    }),
    code_mode_only: setting(Type.Boolean(), {
      text: "Offers other tools only in scripts.",
      since: "0.166",
      project: true,
    }),
    multi_agent: setting(Type.Boolean(), {
      text: "Offers helper agents to models that know them; `true` to all models.",
      since: "0.166",
      project: true,
    }),
    multi_agent_v2: setting(
      Type.Union([
        Type.Boolean(),
        Type.Object({
          enabled: setting(Type.Boolean(), { text: "Enables it.", project: true }),
          max_concurrent_threads_per_session: setting(Count({ minimum: 1 }), {
            text: "Same as `agents.max_concurrent_threads_per_session`.",
          }),
          default_wait_timeout_ms: absent(),
          expose_spawn_agent_model_overrides: absent(),
          hide_spawn_agent_metadata: absent(),
          max_wait_timeout_ms: absent(),
          min_wait_timeout_ms: absent(),
          multi_agent_mode_hint_text: absent(),
          non_code_mode_only: absent(),
          root_agent_usage_hint_text: absent(),
          subagent_developer_instructions: absent(),
          subagent_usage_hint_text: absent(),
          tool_namespace: absent(),
          usage_hint_enabled: absent(),
          usage_hint_text: absent(),
          wait_agent_enabled: absent(),
        }),
      ]),
      {
        text: "Offers the newer tools of helper agents, which know agents by paths.",
        since: "0.166",
        project: true,
      },
    ),
    hooks: setting(Type.Boolean(), {
      text: "Runs hooks.",
      since: "0.166",
      default: true,
      project: [true],
    }),
    goals: setting(Type.Boolean(), {
      text: "Offers the model tools to set itself a goal, and to end one.",
      since: "0.166",
      default: true,
      project: true,
    }),
    codex_hooks: setting(Type.Boolean(), {
      text: "Older name of `hooks`.",
      since: "0.166",
      project: [true],
      alias: "features.hooks",
    }),
    unified_exec_tty: always(),
    ...each(absentFeatures, absent),
    ...each(retiredFeatures, retired),
    experimental_use_unified_exec_tool: olderName("unified_exec"),
    experimental_use_freeform_apply_patch: olderName("apply_patch_freeform"),
    include_apply_patch_tool: olderName("apply_patch_freeform"),
    web_search: olderName("web_search_request"),
    view_image: olderName("view_image_tool"),
  },
  { $id: "FeaturesToml", description: "Feature flags." },
);
export interface FeaturesToml extends Static<typeof FeaturesToml> {}

/** Features. */
export const featureKeys = {
  features: setting(FeaturesToml, {
    text: "Feature flags.",
    since: "0.98",
    project: true,
  }),
  suppress_unstable_features_warning: setting(Type.Boolean(), {
    text: "Hides the warning about features that version 0.166 considers incomplete.",
    since: "0.166",
    default: false,
  }),
};
