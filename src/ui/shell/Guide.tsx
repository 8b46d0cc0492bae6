import { SERVER_URL } from '../api/baseUrl.ts'
import { Dialog } from '../components/Dialog.tsx'
import styles from './Guide.module.css'

const TASKS = [
  ['See why a request failed', 'Open Requests, and click the request for the error and the hint.'],
  ['Make the next request fail', 'Open Faults and click a preset, or add a fault of your own.'],
  ['See what a guest received', 'Open Mail and choose the address of the guest.'],
  ['Move time', 'Use +1 h, +1 d and +1 w beside the clock. Reminders and expirations happen on the way.'],
  ['Go back to a known state', 'Open Clock and state: take a snapshot and restore it, or reset the world.'],
  ['See an event as others see it', 'Open Side by side and click the event.'],
  ['Keep or copy a world', 'Open All worlds: create, fork, filter and delete worlds.'],
] as const

const SHORTCUTS = [
  ['Ctrl K', 'Search'],
  ['t', 'Today'],
  ['d w m l y', 'Day, week, month, list, year'],
  ['← →', 'Previous and next page'],
  ['n', 'New event'],
  ['?', 'Guide'],
] as const

export const Guide = ({ close }: { close(): void }) => (
  <Dialog title="Guide" close={close}>
    <p>
      This server is at <code>{SERVER_URL}</code>. Set it as the root URL of a Google Calendar client. Any bearer token
      that is an e-mail address selects that account.
    </p>
    <dl class={styles.list}>
      {[...TASKS, ...SHORTCUTS].map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
