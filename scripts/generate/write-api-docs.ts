// Last step of `npm run generate`: the reference of the library, from its types.
import { generateApiDocs } from "./api/api-docs.js";
import { writeOutputs } from "./write-outputs.js";

await writeOutputs(generateApiDocs());
