import { parseArgs } from "node:util";

/** Options of one run. */
export interface Options {
  /** Parts of names; empty means all. */
  only: string[];
  short: boolean;
  verbose: boolean;
  list: boolean;
  /** Lets the clients run on the reference, which shows that a check is right. */
  reference: boolean;
  /** True if a check that could not be run counts as failed. */
  skipsFail: boolean;
}

/** Usage. */
export const USAGE = `npm run interop -- [options]
  --only NAME     checks whose name contains NAME; may be repeated
  --short         the cheapest set: one version each way, one server
  --list          the names, without running anything
  --reference     clients of others run on the reference instead of ours
  -v              what each check ran and saw
  --allow-skips   with CI=true: checks that cannot be run here do not fail the run`;

/** Reads the command line; throws with a sentence when it makes no sense. */
export function parseOptions(
  args: string[],
  env: Readonly<Record<string, string | undefined>>,
): Options | "help" {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: "string", multiple: true, default: [] },
      short: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
      reference: { type: "boolean", default: false },
      verbose: { type: "boolean", short: "v", default: false },
      "allow-skips": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  return {
    only: values.only,
    short: values.short,
    verbose: values.verbose,
    list: values.list,
    reference: values.reference,
    skipsFail: env.CI === "true" && !values["allow-skips"],
  };
}
