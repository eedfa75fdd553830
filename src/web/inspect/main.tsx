import { render } from "preact";
import { InspectPage } from "./inspect-page.js";

const root = document.querySelector("#page");
if (root === null) throw new Error("index.html has no element #page");
root.replaceChildren(); // the text for the first paint
render(<InspectPage />, root);
