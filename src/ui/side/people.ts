import { computed } from '@preact/signals'
import { overview } from '../overview.ts'
import { account, go, route } from '../route.ts'

const PARTED = ','
/** How many stand beside each other at first. */
const FIRST = 2

/** The accounts that stand side by side, as the address names them (`item`); else whose the page is, and the next. */
export const shown = computed((): readonly string[] => {
  const known = (overview.value?.accounts ?? []).map(({ email }) => email)
  if (route.value.item !== '') return route.value.item.split(PARTED).filter((email) => known.includes(email))
  return [...new Set([account.value, ...known])].filter((email) => known.includes(email)).slice(0, FIRST)
})

/** The zone of all grids: that of the account that the page acts as. */
export const zone = computed(
  () => overview.value?.accounts.find(({ email }) => email === account.value)?.timeZone ?? 'UTC',
)

/** Has an account stand there, or not any more; in the order of the world. */
export function show(email: string, isShown: boolean): void {
  const next = new Set(shown.peek())
  if (isShown) next.add(email)
  else next.delete(email)
  const known = (overview.peek()?.accounts ?? []).map((one) => one.email)
  go({ item: known.filter((one) => next.has(one)).join(PARTED) })
}
