/** Mail. */
export default function Mail() {
  return <p>There is nothing here yet.</p>
}
