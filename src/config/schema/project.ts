import Type, { type Static } from "typebox";
import { setting, TextList } from "./setting.js";

export const ProjectToml = Type.Object(
  {
    trust_level: setting(Type.Enum(["trusted", "untrusted"]), {
      text: "Whether the user trusts what is in the folder: its settings are read only then.",
    }),
  },
  { $id: "ProjectToml", description: "A folder the user has decided about." },
);
export interface ProjectToml extends Static<typeof ProjectToml> {}

/** Which projects are trusted, and what a project is. */
export const projectKeys = {
  projects: setting(Type.Record(Type.String(), ProjectToml), {
    text: "Folders by path: the working folder, its project's or its main git work tree's.",
  }),
  project_root_markers: setting(TextList, {
    text: "What lies in the topmost folder of a project; with none, the working folder is the project.",
    since: "0.98",
    default: [".git"],
  }),
};
