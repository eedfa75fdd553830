/** Model script that requests permissions before it answers, and the settings that allow it. */
export const asksPermissions = {
  model: [
    [
      {
        call: "request_permissions",
        args: { permissions: { network: { enabled: true } } },
        call_id: "p1",
      },
    ],
    [{ message: "Done." }],
  ],
  config: {
    approval_policy: "on-request",
    sandbox_mode: "read-only",
    features: { request_permissions_tool: true },
  },
};
