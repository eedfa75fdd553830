import Type, { type Static } from "typebox";

export const NoParams = Type.Object({}, { $id: "NoParams", description: "Nothing." });
export interface NoParams extends Static<typeof NoParams> {}
