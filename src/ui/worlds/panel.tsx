/** Worlds. */
export default function Worlds() {
  return <p>There is nothing here yet.</p>
}
