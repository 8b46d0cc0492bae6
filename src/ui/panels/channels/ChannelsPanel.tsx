import { useTimeFormat } from '../../account.ts'
import type { ChannelView, Notification } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { StatePill } from '../../components/StatusPill.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useQuery } from '../../hooks/useQuery.ts'
import { Card, Cards, TableCard } from '../TableCard.tsx'

/** A title, the route below `/notifications`, the text of the toast, and the body. */
const DELIVERY_RULES = [
  ['Hold all', 'hold', 'All messages are held', {}],
  ['Release all', 'release', 'All messages are released', {}],
  ['Drop the next', 'drop', 'The next message will be dropped', {}],
  ['Send the next twice', 'duplicate', 'The next message will be sent twice', {}],
  ['Delay the next by 10 min', 'delay', 'The next message will be delayed', { by: '10m' }],
  ['Swap the next two', 'reorder', 'The next two messages will be swapped', {}],
  ['Wait for delivery', 'settle', 'All messages are delivered', { timeout: '5s' }],
] as const

export default function ChannelsPanel() {
  const control = useControlAction()
  const format = useTimeFormat()
  const channels = useQuery<{ channels: ChannelView[] }>('/channels')
  const messages = useQuery<{ notifications: Notification[] }>('/notifications')
  const deliver = (rule: string, message: string, body: object) =>
    control('POST', `/notifications/${rule}`, message, body)
  return (
    <Cards>
      <QueryView query={channels}>
        {(data) => (
          <TableCard
            title="Channels"
            rows={data.channels}
            keyOf={({ id }) => id}
            empty="No channels yet. events.watch, calendarList.watch, acl.watch and settings.watch open one."
            columns={[
              { title: 'Channel', cell: ({ id }) => id, breakable: true },
              { title: 'State', cell: ({ state }) => <DeliveryStatePill state={state} /> },
              { title: 'Resource', cell: formatResource, breakable: true },
              { title: 'Address', cell: ({ address }) => address, breakable: true },
              { title: 'Expires', phrase: true, cell: ({ expiration }) => format.instant(expiration) },
              { title: 'Delivered', number: true, cell: (one) => `${one.delivered} of ${one.messages}` },
            ]}
            actions={({ id: channelId }) => [
              { title: 'Hold', run: () => deliver('hold', `Messages of ${channelId} are held`, { channelId }) },
              {
                title: 'Release',
                run: () => deliver('release', `Messages of ${channelId} are released`, { channelId }),
              },
            ]}
          />
        )}
      </QueryView>
      <Card title="Next messages">
        <div class="actions">
          {DELIVERY_RULES.map(([title, rule, message, body]) => (
            <Button key={rule} run={() => deliver(rule, message, body)}>
              {title}
            </Button>
          ))}
        </div>
      </Card>
      <QueryView query={messages}>
        {({ notifications }) => (
          <TableCard
            title="Messages"
            rows={[...notifications].reverse()}
            keyOf={({ id }) => id}
            empty="No messages yet."
            columns={[
              { title: 'Message', number: true, cell: ({ id }) => id },
              { title: 'Channel', cell: ({ channelId }) => channelId, breakable: true },
              { title: 'State', cell: ({ state }) => state },
              { title: 'Delivery', cell: (one) => <DeliveryStatePill state={one.progress} note={one.note} /> },
              { title: 'Created', phrase: true, cell: ({ made }) => format.instant(made) },
              { title: 'Attempts', cell: formatAttempts },
              { title: 'Headers', cell: (message) => <Headers message={message} /> },
            ]}
            actions={({ id }) => [
              { title: 'Replay', run: () => deliver('replay', `Message ${id} is sent again`, { id }) },
            ]}
          />
        )}
      </QueryView>
    </Cards>
  )
}

const formatResource = ({ resource, calendarId, account }: ChannelView): string =>
  [calendarId ? `${resource} of ${calendarId}` : resource, calendarId !== account && ` for ${account}`]
    .filter(Boolean)
    .join('')

const formatAttempts = ({ attempts }: Notification): string =>
  attempts.length === 0 ? 'none' : attempts.map(({ code, error }) => String(code ?? error)).join(', ')

const STATE_KINDS: Partial<Record<string, 'ok' | 'warn' | 'bad'>> = {
  ...{ live: 'ok', delivered: 'ok', held: 'warn', delayed: 'warn', retrying: 'warn', waiting: 'warn' },
  ...{ failed: 'bad', dropped: 'bad', withheld: 'warn', expired: 'warn' },
}

function DeliveryStatePill({ state, note }: { state: string; note?: string | undefined }) {
  const kind = STATE_KINDS[state]
  return (
    <>
      <StatePill {...(kind && { kind })}>{state}</StatePill>
      {note && <span class="muted"> {note}</span>}
    </>
  )
}

const Headers = ({ message: { id, headers } }: { message: Notification }) => (
  <details>
    <summary>
      {Object.keys(headers).length}
      <span class="hidden"> headers of message {id}</span>
    </summary>
    <pre>{Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)}</pre>
  </details>
)
