/** Fields that 0.104 requires and later versions removed: files could be read without limits. */
export const restoredFields: Restored = {
  ReadOnly: { access: { type: "fullAccess" } },
  WorkspaceWrite: { readOnlyAccess: { type: "fullAccess" } },
};

/** Values of fields that no value has, by the name of the shape. */
export type Restored = Readonly<Record<string, object>>;
