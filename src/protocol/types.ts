// Types only: importing this file loads nothing at run time, while `index.ts` loads the schemas.
export type * from "./index.js";
