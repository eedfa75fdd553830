import type { Script } from "../../model/scripted/index.js";

const patch = `*** Begin Patch
*** Update File: greet.js
@@
-exports.greet = (name) => "Hello, " + name + "?";
+exports.greet = (name) => \`Hello, \${name}!\`;
*** End Patch`;
