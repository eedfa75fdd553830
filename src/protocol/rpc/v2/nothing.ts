import Type, { type Static } from "typebox";

export const NoParams = Type.Object({}, { $id: "NoParams", description: "Nothing." });
export interface NoParams extends Static<typeof NoParams> {}

export const EmptyResponse = Type.Object(
  {},
  { $id: "EmptyResponse", description: "It is done; there is nothing to say." },
);
export interface EmptyResponse extends Static<typeof EmptyResponse> {}
