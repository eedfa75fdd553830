// Stands in for @grpc/proto-loader, which grpc-js loads only for its debugging services (channelz, ORCA).
// Quire offers neither, and a bundler of a program that uses Quire would look for the package in vain.
export function loadSync() {
  throw new Error("Quire's gRPC has no channelz or ORCA service");
}
