/** Requests. */
export default function Requests() {
  return <p>There is nothing here yet.</p>
}
