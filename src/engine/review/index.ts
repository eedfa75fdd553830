export { reviewHint, reviewText } from "./review-text.js";
