/** Side by side. */
export default function SideBySide() {
  return <p>There is nothing here yet.</p>
}
