// Second step of `npm run generate`: everything that follows from the schemas and declarations.
import { generateAll } from "./outputs.js";
import { writeOutputs } from "./write-outputs.js";

await writeOutputs(await generateAll());
