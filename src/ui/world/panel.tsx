/** World. */
export default function World() {
  return <p>There is nothing here yet.</p>
}
