import { useState } from 'preact/hooks'
import { baseUrl } from '../api/baseUrl.ts'
import { Button } from '../components/Button.tsx'
import { CopyableText } from '../components/CopyButton.tsx'
import { account } from '../route.ts'
import { useSession } from '../session.ts'
import { Guide } from './Guide.tsx'
import { loadDemo } from './MissingWorld.tsx'

export function FirstSteps({ createEvent }: { createEvent?: () => void }) {
  const session = useSession()
  const { overview, world } = session
  const [isGuideOpen, setGuideOpen] = useState(false)
  const hasEvents = (overview.value?.worlds.find(({ name }) => name === world)?.events ?? 0) > 0
  const email = account.value || 'alice@example.com'
  const curl = `curl -H 'Authorization: Bearer ${email}' ${baseUrl(world)}/calendar/v3/users/me/calendarList`
  return (
    <>
      <div class="actions">
        {createEvent && (
          <button type="button" class="primary" onClick={createEvent}>
            Create an event
          </button>
        )}
        <Button
          {...(hasEvents && {
            confirm: `Load the company demo? It replaces everything in the world “${world}”.`,
          })}
          run={() => loadDemo(session)}
        >
          Load the company demo
        </Button>
        <button type="button" onClick={() => setGuideOpen(true)}>
          Open the guide
        </button>
      </div>
      <CopyableText name="Or make a request" text={curl} />
      {isGuideOpen && <Guide close={() => setGuideOpen(false)} />}
    </>
  )
}
