import { go } from '../route.ts'
import { newEvent } from './toolbar.tsx'
import { VIEWS } from './views.ts'

/** What the keys do, as the help says it. */
export const KEYS = [
  { keys: ['t'], does: 'Today' },
  ...Object.values(VIEWS).map(({ key, title }) => ({ keys: [key], does: title })),
  { keys: ['←', '→'], does: 'Back and forth' },
  { keys: ['n'], does: 'New event' },
  { keys: ['/'], does: 'Search' },
  { keys: ['?'], does: 'This help' },
  { keys: ['Esc'], does: 'Close what is open' },
] as const

type Acts = { today(): void; back(): void; forth(): void; help(): void }

/** Somebody who types into a field, or has a dialog open, does not mean the grid. */
const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLElement && target.closest('input, select, textarea, dialog, [contenteditable]') !== null

/** Listens to the keys of the grid. Returns what ends that. */
export function onKeys({ today, back, forth, help }: Acts): () => void {
  const acts = new Map<string, () => void>([
    ['t', today],
    ['ArrowLeft', back],
    ['ArrowRight', forth],
    ['?', help],
    ['n', newEvent],
    ['/', () => document.getElementById('search')?.focus()],
    ...Object.entries(VIEWS).map(([view, { key }]) => [key, () => go({ view })] as const),
  ])
  const pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
    const act = acts.get(event.key)
    if (!act) return
    event.preventDefault()
    act()
  }
  addEventListener('keydown', pressed)
  return () => removeEventListener('keydown', pressed)
}
