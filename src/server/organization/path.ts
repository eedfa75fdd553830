import { join } from "node:path";

/** Returns the file of sections, projects, attachments and edited metadata. */
export function organizationPath(home: string): string {
  return join(home, "quire-organization.json");
}
