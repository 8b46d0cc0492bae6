import { callControl, worldPath } from '../api/client.ts'
import { Button } from '../components/Button.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { navigate, openWorld } from '../route.ts'
import { useSession, type WorldSession } from '../session.ts'
import { showToast } from '../toast.ts'

/**
 * `seed` is the name of a fixture, such as `company`, or seed data. Replaces an existing world. Rejects with a RequestError if
 * the server rejects the seed.
 */
export async function createWorld(session: WorldSession, seed: unknown): Promise<void> {
  await callControl('PUT', worldPath(session.world), { body: { seed }, world: session.world })
  session.reportChange()
}

export async function loadDemo(session: WorldSession): Promise<void> {
  // The old account is not one of the demo. The next overview chooses the first one.
  navigate({ account: '', item: '', date: '' }, { replace: true })
  await createWorld(session, 'company')
  showToast(session, { text: 'Loaded the company demo' })
}

export function MissingWorld() {
  const session = useSession()
  const others = (session.overview.value?.worlds ?? []).filter(({ name }) => name !== session.world)
  return (
    <EmptyState icon="globe" title={`There is no world “${session.world}” yet.`}>
      <p>It is created by the first request that names it, or here.</p>
      <div class="actions">
        <Button rank="primary" run={() => createWorld(session, 'default')}>
          Create
        </Button>
        <Button run={() => loadDemo(session)}>Load the company demo</Button>
      </div>
      {others.length > 0 && (
        <p>
          Other worlds:{' '}
          {others.map(({ name }, index) => (
            <span key={name}>
              {index > 0 && ', '}
              <button type="button" class="link" onClick={() => openWorld(name)}>
                {name}
              </button>
            </span>
          ))}
        </p>
      )}
    </EmptyState>
  )
}
