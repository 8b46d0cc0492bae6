/** Channels. */
export default function Channels() {
  return <p>There is nothing here yet.</p>
}
