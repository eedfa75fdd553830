/** What this program is called, and its version as in `package.json`. */
export const ownName = { name: "quire", version: "0.1.0" } as const;
