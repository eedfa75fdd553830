export { DeltaWriter } from "./delta.js";
export { ThreadFeeds } from "./feeds.js";
export { mergeItemDeltas } from "./merge-deltas.js";
export type { FeedMessage } from "./message.js";
export type { FeedListener, ThreadFeed } from "./thread-feed.js";
