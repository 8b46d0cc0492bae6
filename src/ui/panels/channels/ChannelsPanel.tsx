import { useTimeFormat } from '../../account.ts'
import type { ChannelView, Notification } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { StatePill } from '../../components/StatusPill.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { type ControlAction, useControlAction } from '../../hooks/useControlAction.ts'
import { useQuery } from '../../hooks/useQuery.ts'
import type { TimeFormat } from '../../time/timeFormat.ts'
import styles from './ChannelsPanel.module.css'

const NOTIFICATIONS = '/notifications'

/** The route below `/notifications`, and the text of the toast. */
const DELIVERY_RULES = [
  { title: 'Drop the next', route: 'drop', message: 'The next message will be dropped', body: {} },
  { title: 'Send the next twice', route: 'duplicate', message: 'The next message will be sent twice', body: {} },
  {
    title: 'Delay the next by 10 min',
    route: 'delay',
    message: 'The next message will be delayed',
    body: { by: '10m' },
  },
  { title: 'Swap the next two', route: 'reorder', message: 'The next two messages will be swapped', body: {} },
]

export default function ChannelsPanel() {
  const control = useControlAction()
  const format = useTimeFormat()
  const channels = useQuery<{ channels: ChannelView[] }>('/channels')
  const messages = useQuery<{ notifications: Notification[] }>(NOTIFICATIONS)
  if (channels.data?.channels.length === 0 && messages.data?.notifications.length === 0)
    return (
      <EmptyState icon="bell" title="No channels yet.">
        <p>
          A channel is opened by <code>events.watch</code>, <code>calendarList.watch</code>, <code>acl.watch</code> or{' '}
          <code>settings.watch</code>.
        </p>
      </EmptyState>
    )
  return (
    <div class={styles.panel}>
      <section class="card" aria-label="Channels">
        <QueryView query={channels}>
          {(data) => (
            <Table
              caption="Channels"
              rows={data.channels}
              keyOf={({ id }) => id}
              empty="No channels."
              columns={createChannelColumns(format)}
            />
          )}
        </QueryView>
      </section>
      <section class="card" aria-label="Delivery of messages">
        <h2>Next messages</h2>
        <div class={`actions ${styles.actions}`}>
          <HoldButtons />
          {DELIVERY_RULES.map(({ title, route, message, body }) => (
            <Button key={route} run={() => control('POST', `${NOTIFICATIONS}/${route}`, message, body)}>
              {title}
            </Button>
          ))}
          <Button
            run={() => control('POST', `${NOTIFICATIONS}/settle`, 'All messages are delivered', { timeout: '5s' })}
          >
            Wait for delivery
          </Button>
        </div>
      </section>
      <section class="card" aria-label="Messages">
        <QueryView query={messages}>
          {({ notifications }) => (
            <Table
              caption="Messages"
              rows={[...notifications].reverse()}
              keyOf={({ id }) => id}
              empty="No messages yet."
              columns={createMessageColumns(control, format)}
            />
          )}
        </QueryView>
      </section>
    </div>
  )
}

/** Without `channelId`, for all channels. */
function HoldButtons({ channelId }: { channelId?: string }) {
  const control = useControlAction()
  const body = channelId === undefined ? {} : { channelId }
  const name = channelId ?? 'all channels'
  return (
    <>
      <Button
        label={`Hold ${name}`}
        run={() => control('POST', `${NOTIFICATIONS}/hold`, `Messages of ${name} are held`, body)}
      >
        Hold
      </Button>
      <Button
        label={`Release ${name}`}
        run={() => control('POST', `${NOTIFICATIONS}/release`, `Messages of ${name} are released`, body)}
      >
        Release
      </Button>
    </>
  )
}

const STATE_KINDS: Partial<Record<string, 'ok' | 'warn' | 'bad'>> = {
  ...{ live: 'ok', delivered: 'ok', held: 'warn', delayed: 'warn', retrying: 'warn', waiting: 'warn' },
  ...{ failed: 'bad', dropped: 'bad', withheld: 'warn', expired: 'warn' },
}

const DeliveryStatePill = ({ state }: { state: string }) => {
  const kind = STATE_KINDS[state]
  return <StatePill {...(kind && { kind })}>{state}</StatePill>
}

const createChannelColumns = (format: TimeFormat): readonly Column<ChannelView>[] => [
  { title: 'Channel', cell: ({ id }) => id, breakable: true },
  { title: 'State', cell: ({ state }) => <DeliveryStatePill state={state} /> },
  {
    title: 'Resource',
    cell: ({ resource, calendarId, account, address }) => (
      <div>
        {calendarId ? `${resource} of ${calendarId}` : resource}
        {calendarId !== account && <div class="muted">for {account}</div>}
        <div class={`muted ${styles.address}`}>{address}</div>
      </div>
    ),
  },
  { title: 'Expires', phrase: true, cell: ({ expiration }) => format.instant(expiration) },
  { title: 'Delivered', number: true, cell: ({ messages, delivered }) => `${delivered} of ${messages}` },
  {
    title: 'Actions',
    actions: true,
    cell: ({ id }) => (
      <div class="actions">
        <HoldButtons channelId={id} />
      </div>
    ),
  },
]

const createMessageColumns = (control: ControlAction, format: TimeFormat): readonly Column<Notification>[] => [
  { title: 'Message', number: true, cell: ({ id }) => id },
  { title: 'Channel', cell: ({ channelId }) => channelId, breakable: true },
  { title: 'State', cell: ({ state }) => state },
  {
    title: 'Delivery',
    cell: ({ progress, note }) => (
      <>
        <DeliveryStatePill state={progress} />
        {note && <span class="muted"> {note}</span>}
      </>
    ),
  },
  { title: 'Created', phrase: true, cell: ({ made }) => format.instant(made) },
  {
    title: 'Attempts',
    cell: ({ attempts }) =>
      attempts.length === 0 ? 'none' : attempts.map(({ code, error }) => String(code ?? error)).join(', '),
  },
  {
    title: 'Headers',
    cell: ({ id, headers }) => (
      <details>
        <summary>
          {Object.keys(headers).length}
          <span class="hidden"> headers of message {id}</span>
        </summary>
        <pre>{Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)}</pre>
      </details>
    ),
  },
  {
    title: 'Replay',
    actions: true,
    cell: ({ id }) => (
      <Button
        icon="replay"
        label={`Replay message ${id}`}
        rank="quiet"
        run={() => control('POST', `${NOTIFICATIONS}/replay`, `Message ${id} is sent again`, { id })}
      />
    ),
  },
]
