import { effect, signal } from '@preact/signals'
import type { Overview } from '../control/overview.ts'
import { control } from './client.ts'
import { changes } from './live.ts'
import { type Refused, refusalOf } from './refused.ts'
import { go, route, world } from './route.ts'

/** Who is in the world that is shown, and which other worlds there are. */
export const overview = signal<Overview | undefined>(undefined)
/** Why it cannot be shown. */
export const lost = signal<Refused | undefined>(undefined)

async function read(name: string): Promise<void> {
  try {
    const { data } = await control<Overview>('GET', '/overview', { world: name })
    if (name !== world.peek()) return
    overview.value = data
    lost.value = undefined
    const { account } = route.peek()
    const [first] = data.accounts
    if (account === '' && first) go({ account: first.email }, { replace: true })
  } catch (error) {
    lost.value = refusalOf(error)
  }
}

/** Keeps it up to date with the world. */
export const keepOverview = (): (() => void) =>
  effect(() => {
    const name = world.value
    if (changes.value > 0) void read(name)
  })
