import { type MethodErrors, MethodTable } from "../../jsonrpc/index.js";
import { addV1Methods } from "../v1/table.js";
import { addAbsentMethods } from "./absent.js";
import { addAccountMethods } from "./account.js";
import { addCommandExecMethods } from "./command-exec.js";
import { addConfigMethods } from "./config.js";
import type { V2Connection } from "./connection.js";
import { addFeatureMethods } from "./feature.js";
import { addFileSearchMethods } from "./file-search/index.js";
import { addFsMethods } from "./fs/index.js";
import { addMcpServerMethods } from "./mcp-server.js";
import { addModelMethods } from "./model.js";
import { addSkillMethods } from "./skills.js";
import { addThreadMethods } from "./threads/index.js";
import { addTurnMethods } from "./turns.js";

/** Every method of the app-server: those of v2, and the older ones beside them. */
export function createV2Methods(errors: MethodErrors): MethodTable<V2Connection> {
  const methods = new MethodTable<V2Connection>(errors);
  addV1Methods(methods);
  addAbsentMethods(methods);
  addAccountMethods(methods);
  addCommandExecMethods(methods);
  addConfigMethods(methods);
  addFeatureMethods(methods);
  addFileSearchMethods(methods);
  addFsMethods(methods);
  addMcpServerMethods(methods);
  addModelMethods(methods);
  addThreadMethods(methods);
  addTurnMethods(methods);
  addSkillMethods(methods);
  return methods;
}
