export type { Subscriber, ThreadFeed } from "./feed.js";
export { ThreadFeeds } from "./feed.js";
export type { FeedMessage } from "./message.js";
export { DeltaWriter, mergeItemDeltas } from "./message.js";
