import type { Check } from "../check.js";
import type { Reader } from "../partner.js";
import { type ReferenceVersion, references } from "../reference-versions.js";
import { resumeAcross } from "../resume-across.js";
import { codexAppServer, codexExec, quire } from "../sides.js";

const eras = ["current", "0.42", "0.104"];

/** The reference resumes our recordings: as a server, and as the command line. */
export const referenceResumesOurs: readonly Check[] = [
  ...eras.map((era) => crossing(era, codexAppServer("0.104.0"), "0.104.0")),
  crossing("current", codexExec("0.104.0"), "0.104.0", true),
  ...eras.map((era) => crossing(era, codexAppServer("0.166.0"), "0.166.0")),
  crossing("current", codexExec("0.166.0"), "0.166.0"),
  crossing("0.42", codexExec("0.42.0", "--experimental-json"), "0.42.0"),
];

function crossing(era: string, reader: Reader, version: ReferenceVersion, short = false): Check {
  const [, door] = reader.name.split(" ");
  return {
    name: `resume-ours-${era}-by-${version}-${door}`,
    short,
    run: (context) =>
      resumeAcross({ writer: quire(era), reader, model: references[version] }, context),
  };
}
