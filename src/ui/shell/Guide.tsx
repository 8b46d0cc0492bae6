import { SERVER_URL } from '../api/baseUrl.ts'
import { Dialog } from '../components/Dialog.tsx'
import styles from './Guide.module.css'

const SHORTCUTS = [
  { keys: ['Ctrl', 'K'], action: 'Command palette' },
  { keys: ['t'], action: 'Today' },
  { keys: ['d'], action: 'Day view' },
  { keys: ['w'], action: 'Week view' },
  { keys: ['m'], action: 'Month view' },
  { keys: ['l'], action: 'List view' },
  { keys: ['y'], action: 'Year view' },
  { keys: ['←', '→'], action: 'Previous and next page' },
  { keys: ['n'], action: 'New event' },
  { keys: ['/'], action: 'Search events' },
  { keys: ['Alt', '←→↑↓'], action: 'Move the focused event' },
  { keys: ['?'], action: 'Keyboard shortcuts' },
  { keys: ['Esc'], action: 'Close' },
] as const

const TASKS = [
  {
    task: 'See why a request failed',
    how: 'Open Requests. The newest request is at the top; click it for the error and the hint.',
  },
  { task: 'Make the next request fail', how: 'Open Faults and click a preset, or add a fault of your own.' },
  { task: 'See what a guest received', how: 'Open Mail and choose the address of the guest.' },
  { task: 'Move time', how: 'Use +1 h, +1 d and +1 w beside the clock. Reminders and expirations happen on the way.' },
  {
    task: 'Go back to a known state',
    how: 'Open Clock and state: take a snapshot and restore it, or reset the world.',
  },
  { task: 'See an event as others see it', how: 'Open Side by side and click the event.' },
]

export const Guide = ({ close }: { close(): void }) => (
  <Dialog title="Guide" close={close}>
    <p>
      This server is at <code>{SERVER_URL}</code>. Set it as the root URL of a Google Calendar client. Any bearer token
      that is an e-mail address selects that account.
    </p>
    <dl class={styles.tasks}>
      {TASKS.map(({ task, how }) => (
        <div key={task}>
          <dt>{task}</dt>
          <dd>{how}</dd>
        </div>
      ))}
    </dl>
    <h3>Keyboard shortcuts</h3>
    <dl class={styles.keys}>
      {SHORTCUTS.map(({ keys, action }) => (
        <div key={action}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{action}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
