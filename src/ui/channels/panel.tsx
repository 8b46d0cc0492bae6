import type { Notification } from '../../push/messages.ts'
import type { ChannelView } from '../../push/notifications.ts'
import { instant } from '../moments.ts'
import { Button } from '../parts/button.tsx'
import { Shown } from '../parts/shown.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { useControl } from '../reading.ts'
import { steer } from '../steer.ts'

const NOTIFICATIONS = '/notifications'

/** What may become of the next message, of a channel or of any. */
const FATES = [
  { title: 'Drop the next', route: 'drop', done: 'The next message will be lost' },
  { title: 'Send the next twice', route: 'duplicate', done: 'The next message will be sent twice' },
  { title: 'Delay the next by 10 min', route: 'delay', more: { by: '10m' }, done: 'The next message will be late' },
  { title: 'Swap the next two', route: 'reorder', done: 'The next two messages will come last first' },
] as const

/** The channels, the messages on them, and what may become of those. */
export default function Channels() {
  const channels = useControl<{ channels: ChannelView[] }>('/channels')
  const messages = useControl<{ notifications: Notification[] }>(NOTIFICATIONS)
  return (
    <>
      <Shown read={channels}>
        {({ channels }) => (
          <Table
            caption="Channels"
            rows={channels}
            keyOf={({ id }) => id}
            none="Nobody watches anything. A channel is opened by events.watch, calendarList.watch, acl.watch or settings.watch."
            columns={CHANNEL}
          />
        )}
      </Shown>
      <fieldset class="actions" aria-label="All channels">
        <Hold />
        {FATES.map((fate) => (
          <Button key={fate.route} act={() => become(fate)}>
            {fate.title}
          </Button>
        ))}
        <Button act={() => steer('POST', `${NOTIFICATIONS}/settle`, 'No message is on its way', { timeout: '5s' })}>
          Wait for all
        </Button>
      </fieldset>
      <Shown read={messages}>
        {({ notifications }) => (
          <Table
            caption="Messages"
            rows={[...notifications].reverse()}
            keyOf={({ id }) => id}
            none="No message has been made."
            columns={MESSAGE}
          />
        )}
      </Shown>
    </>
  )
}

/** Keeps messages back, and lets them go: those of one channel, or all. */
function Hold({ channelId }: { channelId?: string }) {
  const body = { ...(channelId !== undefined && { channelId }) }
  const whose = channelId === undefined ? 'all' : channelId
  return (
    <>
      <Button
        label={`Hold ${whose}`}
        act={() => steer('POST', `${NOTIFICATIONS}/hold`, `Messages of ${whose} are held`, body)}
      >
        Hold
      </Button>
      <Button
        label={`Release ${whose}`}
        act={() => steer('POST', `${NOTIFICATIONS}/release`, `Messages of ${whose} go out`, body)}
      >
        Release
      </Button>
    </>
  )
}

const become = ({ route, done, ...fate }: (typeof FATES)[number]): Promise<unknown> =>
  steer('POST', `${NOTIFICATIONS}/${route}`, done, 'more' in fate ? fate.more : {})

const CHANNEL: readonly Column<ChannelView>[] = [
  { title: 'Channel', cell: ({ id }) => id },
  { title: 'State', cell: ({ state }) => state },
  { title: 'Account', cell: ({ account }) => account },
  { title: 'Watches', cell: ({ resource, calendarId }) => (calendarId ? `${resource} of ${calendarId}` : resource) },
  { title: 'Address', cell: ({ address }) => address },
  { title: 'Ends', cell: ({ expiration }) => instant(expiration) },
  { title: 'Made', number: true, cell: ({ messages }) => messages },
  { title: 'Delivered', number: true, cell: ({ delivered }) => delivered },
  {
    title: 'Messages',
    cell: ({ id }) => (
      <div class="actions">
        <Hold channelId={id} />
      </div>
    ),
  },
]

const MESSAGE: readonly Column<Notification>[] = [
  { title: 'Message', number: true, cell: ({ id }) => id },
  { title: 'Channel', cell: ({ channelId }) => channelId },
  { title: 'Number', number: true, cell: ({ number }) => number },
  { title: 'State', cell: ({ state }) => state },
  {
    title: 'Progress',
    cell: ({ progress, note }) => (note === undefined ? progress : <span title={note}>{`${progress}: ${note}`}</span>),
  },
  { title: 'Made', cell: ({ made }) => instant(made) },
  {
    title: 'Attempts',
    cell: ({ attempts }) =>
      attempts.length === 0 ? 'none' : attempts.map(({ code, error }) => String(code ?? error)).join(', '),
  },
  {
    title: 'Headers',
    cell: ({ id, headers }) => (
      <details>
        <summary aria-label={`${Object.keys(headers).length} headers of message ${id}`}>
          {Object.keys(headers).length}
        </summary>
        <pre>{Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)}</pre>
      </details>
    ),
  },
  {
    title: 'Again',
    cell: ({ id }) => (
      <Button
        label={`Replay message ${id}`}
        act={() => steer('POST', `${NOTIFICATIONS}/replay`, `Message ${id} is sent once more`, { id })}
      >
        Replay
      </Button>
    ),
  },
]
