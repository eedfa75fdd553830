import type { MethodSink } from "../../../jsonrpc/index.js";
import type { V2Connection } from "../connection.js";
import { addForkMethods } from "./fork.js";
import { addGoalMethods } from "./goals.js";
import { addListMethods } from "./list.js";
import { addLiveMethods } from "./live.js";
import { addReadMethods } from "./read.js";
import { addReadStateMethods } from "./read-state.js";
import { addResumeMethods } from "./resume.js";
import { addReviewMethods } from "./review.js";
import { addRollbackMethods } from "./rollback.js";
import { addSettingsMethods } from "./settings.js";
import { addStartMethods } from "./start.js";
import { addStoreMethods } from "./store.js";
import { addSummaryMethods } from "./summary.js";

/** The methods of threads. */
export function addThreadMethods(methods: MethodSink<V2Connection>): void {
  addStartMethods(methods);
  addResumeMethods(methods);
  addForkMethods(methods);
  addReadMethods(methods);
  addListMethods(methods);
  addStoreMethods(methods);
  addLiveMethods(methods);
  addRollbackMethods(methods);
  addSettingsMethods(methods);
  addGoalMethods(methods);
  addReadStateMethods(methods);
  addReviewMethods(methods);
  addSummaryMethods(methods);
}
