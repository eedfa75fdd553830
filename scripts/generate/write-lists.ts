// First step of `npm run generate`: the lists that the schemas themselves import.
import { generateLists } from "./lists.js";
import { writeOutputs } from "./write-outputs.js";

await writeOutputs(generateLists());
