// Types only: importing this file loads nothing at run time, where `index.ts` loads the schemas.
export type * from "./index.js";
