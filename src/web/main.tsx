import { render } from "preact";
import { App } from "./app.js";

const root = document.querySelector("#page");
if (root === null) throw new Error("index.html has no element #page");
root.replaceChildren(); // the text for the first paint
render(<App />, root);
