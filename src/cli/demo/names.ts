/** The provider and the model of the demo. */
export const demoProvider = "demo";
export const demoModel = "scripted-model";
