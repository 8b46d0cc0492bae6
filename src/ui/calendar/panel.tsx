/** Calendar. */
export default function Calendar() {
  return <p>There is nothing here yet.</p>
}
