import type { Event } from '../wire/event.ts'

/** Details of a private event are kept from readers who do not attend, and from writers without private access. */
export const isPrivate = ({ visibility }: Event): boolean => visibility === 'private' || visibility === 'confidential'

/** How much each visibility hides. */
const HIDING = ['public', 'default', 'private', 'confidential']
const hiding = ({ visibility = 'default' }: Pick<Event, 'visibility'>) => HIDING.indexOf(visibility)

/** More restrictive visibility of one instance is that of all; less restrictive is not taken (behaviour 4.5). */
export const isStricter = (a: Pick<Event, 'visibility'>, b: Pick<Event, 'visibility'>): boolean => hiding(a) > hiding(b)
