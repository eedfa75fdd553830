// Last step of `npm run generate`: the docs of the command line and the terminal UI.
import { generateProgramDocs } from "./program-docs.js";
import { writeOutputs } from "./write-outputs.js";

await writeOutputs(await generateProgramDocs());
