import Type, { type Static } from "typebox";

export const Duration = Type.Object(
  {
    secs: Type.Integer({ description: "Whole seconds." }),
    nanos: Type.Integer({ description: "The rest, in nanoseconds." }),
  },
  { $id: "Duration", description: "A length of time." },
);
export interface Duration extends Static<typeof Duration> {}
