// Replaces @grpc/proto-loader, which grpc-js loads only for its debugging services (channelz,
// ORCA). Quire offers neither, and a bundler of a program that uses Quire could not resolve the
// package.
export function loadSync() {
  throw new Error("Quire's gRPC has no channelz or ORCA service");
}
