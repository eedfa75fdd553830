/** Methods of the reference that are answered with an error saying so, and why. */
export const unsupported: Readonly<Record<string, string>> = {};
