import { Cards } from '../TableCard.tsx'
import { ClockCard } from './ClockCard.tsx'
import { QuotaCard } from './QuotaCard.tsx'
import { SnapshotsCard } from './SnapshotsCard.tsx'
import { StateCard } from './StateCard.tsx'
import { SyncTokensCard } from './SyncTokensCard.tsx'

export default function WorldPanel() {
  return (
    <Cards>
      <ClockCard />
      <StateCard />
      <SnapshotsCard />
      <QuotaCard />
      <SyncTokensCard />
    </Cards>
  )
}
