import { useAccount, useTimeFormat } from '../account.ts'
import { callControl } from '../api/client.ts'
import { Button } from '../components/Button.tsx'
import { Link } from '../components/Link.tsx'
import { route } from '../route.ts'
import { useSession } from '../session.ts'
import styles from './Header.module.css'

/** The caption of the story that `--play` plays in the world. */
export function StoryBar() {
  const session = useSession()
  const format = useTimeFormat()
  const { names } = useAccount()
  const { story } = session.overview.value ?? {}
  if (!story) return null
  const { title, at, account = '', isPaused, isOver } = story
  const act = async (action: string) => {
    await callControl('PUT', '/story', { body: { action } })
    session.reportChange()
  }
  return (
    <section class={`actions ${styles.story}`} aria-label="Story">
      <p aria-live="polite">
        {at && <time dateTime={at}>{format.clock(at).replace(/:\d\d(?= )/, '')} </time>}
        <strong>{isOver ? 'The day is over.' : title || 'A day begins.'}</strong>
      </p>
      {account && account !== route.value.account && (
        <Link to={{ account, panel: 'calendar', item: '' }}>Calendar of {names.get(account) ?? account}</Link>
      )}
      {!isOver && (
        <>
          <Button run={() => act(isPaused ? 'play' : 'pause')}>{isPaused ? 'Play' : 'Pause'}</Button>
          <Button run={() => act('next')}>Next</Button>
        </>
      )}
    </section>
  )
}
