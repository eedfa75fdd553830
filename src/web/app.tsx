import { Pairing } from "./pairing/pairing.js";

export function App() {
  return <Pairing onPaired={() => location.reload()} />;
}
