/** Conferences. */
export default function Conferences() {
  return <p>There is nothing here yet.</p>
}
