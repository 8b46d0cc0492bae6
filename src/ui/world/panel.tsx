import './world.css'
import { ClockPart } from './clock.tsx'
import { FaultsPart } from './faults.tsx'
import { FilesPart } from './files.tsx'
import { QuotaPart } from './quota.tsx'
import { SnapshotsPart } from './snapshots.tsx'
import { TokensPart } from './tokens.tsx'

/** The world as a whole: its time, what fails in it, its moments, and what it is made of. */
export default function World() {
  return (
    <div class="world">
      <ClockPart />
      <FilesPart />
      <FaultsPart />
      <SnapshotsPart />
      <QuotaPart />
      <TokensPart />
    </div>
  )
}
