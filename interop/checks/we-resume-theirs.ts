import type { Check } from "../check.js";
import type { Writer } from "../partner.js";
import { type ReferenceVersion, references } from "../reference-versions.js";
import { resumeAcross } from "../resume-across.js";
import { codexAppServer, codexProto, quire } from "../sides.js";

/** We resume the reference's recordings. */
export const weResumeTheirs: readonly Check[] = [
  crossing(codexProto("0.42.0"), "0.42.0"),
  crossing(codexAppServer("0.104.0"), "0.104.0", true),
  crossing(codexAppServer("0.166.0"), "0.166.0"),
];

function crossing(writer: Writer, version: ReferenceVersion, short = false): Check {
  return {
    name: `resume-theirs-${version}`,
    short,
    run: (context) =>
      resumeAcross({ writer, reader: quire("current"), model: references[version] }, context),
  };
}
