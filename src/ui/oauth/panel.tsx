/** OAuth. */
export default function OAuth() {
  return <p>There is nothing here yet.</p>
}
