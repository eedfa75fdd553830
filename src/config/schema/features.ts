import Type, { type Static } from "typebox";
import { absentFeatures, retiredFeatures } from "./feature-names.js";
import { absent, each, retired } from "./ignored.js";
import { setting } from "./setting.js";

/** A switch that a project may turn. */
function feature(text: string, on?: boolean) {
  return setting(Type.Boolean(), {
    text,
    since: "0.98",
    project: true,
    ...(on === undefined ? {} : { default: on }),
  });
}

/** A switch that lets something out of the machine, so that a project may only turn it off. */
function outgoing(text: string) {
  return setting(Type.Boolean(), { text, since: "0.98", project: [false], default: false });
}

/** A feature that is always on here. */
function always() {
  return setting(Type.Boolean(), {
    text: "Always on here.",
    since: "0.98",
    default: true,
    ignored: [true],
  });
}

function olderName(name: string) {
  const text = `An older name of \`${name}\`.`;
  const project = name === "web_search_request" ? ([false] as const) : true;
  return setting(Type.Boolean(), { text, since: "0.98", project, alias: `features.${name}` });
}

export const FeaturesToml = Type.Object(
  {
    unified_exec: feature("Offers terminals that stay open instead of single commands."),
    shell_tool: feature("Offers a tool that runs commands.", true),
    apply_patch_freeform: feature("Offers `apply_patch` as a tool that takes plain text."),
    view_image_tool: feature("The same as `tools.view_image`."),
    web_search_request: outgoing(
      "Web searches that fetch pages anew; the same as `tools.web_search`.",
    ),
    web_search_cached: outgoing("Web searches over pages that the provider keeps."),
    exec_policy: always(),
    request_rule: always(),
    steer: always(),
    collaboration_modes: always(),
    personality: always(),
    shell_snapshot: feature(
      "Lets commands begin with what bash took from the user's start-up files, instead of reading them each time.",
      true,
    ),
    request_permissions_tool: setting(Type.Boolean(), {
      text: "Offers a tool by which the model asks for more than the sandbox lets it do.",
      since: "0.166",
      default: false,
      project: [false],
    }),
    apply_patch_streaming_events: setting(Type.Boolean(), {
      text: "Tells clients of a patch while the model still writes it.",
      since: "0.166",
      default: false,
      project: true,
    }),
    hooks: absent(),
    codex_hooks: absent(),
    unified_exec_tty: always(),
    ...each(absentFeatures, absent),
    ...each(retiredFeatures, retired),
    experimental_use_unified_exec_tool: olderName("unified_exec"),
    experimental_use_freeform_apply_patch: olderName("apply_patch_freeform"),
    include_apply_patch_tool: olderName("apply_patch_freeform"),
    web_search: olderName("web_search_request"),
    view_image: olderName("view_image_tool"),
  },
  { $id: "FeaturesToml", description: "Switches for parts of the program." },
);
export interface FeaturesToml extends Static<typeof FeaturesToml> {}

/** Switches. */
export const featureKeys = {
  features: setting(FeaturesToml, {
    text: "Switches for parts of the program.",
    since: "0.98",
    project: true,
  }),
  suppress_unstable_features_warning: retired(),
};
