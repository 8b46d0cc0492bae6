import { callControl, worldPath } from '../api/client.ts'
import { baseUrl } from '../baseUrl.ts'
import { Button } from '../components/Button.tsx'
import { CopyableText } from '../components/CopyableText.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { account, navigate } from '../route.ts'
import { useSession, type WorldSession } from '../session.ts'
import { showToast } from '../toast.ts'

async function createWorld(session: WorldSession, seed: string): Promise<void> {
  await callControl('PUT', worldPath(session.world), { body: { seed }, world: session.world })
  session.reportChange()
}

async function loadDemo(session: WorldSession): Promise<void> {
  // The old account is not one of the demo. The next overview chooses the first one.
  navigate({ account: '', item: '', date: '' }, { replace: true })
  await createWorld(session, 'company')
  showToast(session, { text: 'Loaded the company demo' })
}

export function FirstSteps({ createEvent }: { createEvent?: () => void }) {
  const session = useSession()
  const { overview, world } = session
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
        {!hasEvents && <Button run={() => loadDemo(session)}>Load the company demo</Button>}
      </div>
      <CopyableText name="Or make a request" text={curl} />
    </>
  )
}

export function MissingWorld() {
  const session = useSession()
  return (
    <EmptyState icon="globe" title={`There is no world “${session.world}” yet.`}>
      <p>It is created by the first request that names it, or here.</p>
      <div class="actions">
        <Button rank="primary" run={() => createWorld(session, 'default')}>
          Create
        </Button>
        <Button run={() => loadDemo(session)}>Load the company demo</Button>
      </div>
    </EmptyState>
  )
}
