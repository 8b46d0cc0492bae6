import { useState } from 'preact/hooks'
import { Select } from '../../components/Form.tsx'
import { JsonText } from '../../components/JsonText.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { useQuery } from '../../hooks/useQuery.ts'
import { Card, Cards, Toolbar } from '../TableCard.tsx'
import { ClockCard } from './ClockCard.tsx'
import { SnapshotsCard } from './SnapshotsCard.tsx'
import { StateCard } from './StateCard.tsx'

/** Routes below `/_control` that return a part of the world's state. */
const PARTS = [
  ['/channels', 'Push channels'],
  ['/notifications', 'Push messages'],
  ['/conferences', 'Conference requests'],
  ['/oauth', 'OAuth tokens and consents'],
  ['/quota', 'Quota'],
] as const

export default function WorldPanel() {
  return (
    <Cards>
      <ClockCard />
      <StateCard />
      <SnapshotsCard />
      <PartsCard />
    </Cards>
  )
}

function PartsCard() {
  const [path, setPath] = useState<(typeof PARTS)[number][0]>('/channels')
  const query = useQuery<object>(path, { everyCall: true })
  return (
    <Card title="Details">
      <Toolbar>
        <Select label="Part of the world" value={path} change={(value) => setPath(value)} options={PARTS} />
      </Toolbar>
      <QueryView query={query}>{(value) => <JsonText value={value} label="State as JSON" />}</QueryView>
      <p class="muted">
        Changed by requests to <code>/_control{path}</code>.
      </p>
    </Card>
  )
}
