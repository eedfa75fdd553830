// One line for each suite this project can run; a suite without a line here is counted as not run.
export { suite as bash_plain_commands } from "./bash_plain_commands.js";
export { suite as parsed_cmd } from "./parsed_cmd.js";
