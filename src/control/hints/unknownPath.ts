import { api } from '../../api/index.ts'
import { findMisspelled } from '../../schema/values/nearest.ts'
import { shorten } from '../../schema/values/shownText.ts'
import type { Hint } from '../journal/recordedCall.ts'
import type { ObservedRequest } from '../request.ts'
import { createHint } from './table.ts'

const BASE = '/calendar/v3'

/** Other services, by the beginnings of their paths. */
const NEIGHBOURS: readonly [RegExp, string][] = [
  [/^\/(?:upload\/)?gmail\//, 'The Gmail API'],
  [/^\/(?:upload\/)?drive\//, 'The Drive API'],
  [/^\/v1\/(?:people|contactGroups|otherContacts)\b/, 'The People API'],
  [/^\/tasks\/v1\b/, 'The Tasks API'],
  [/^\/admin\/directory\//, 'The Directory API'],
  [/^\/(?:caldav\/|calendar\/dav\/|\.well-known\/caldav\b)/, 'CalDAV'],
  [/^\/(?:v1\.0|beta)\/(?:me|users|groups)\b/, 'Microsoft Graph'],
  [/^\/(?:macros\/|v1\/(?:scripts|projects)\b)/, 'Apps Script'],
]

/** The beginnings of the paths of methods, and what follows. */
const ROOTS = /\/(?:calendars|users|freebusy|colors|channels)\b.*$/i

/** The hint of a path that no route has: the service that has it, the base that is missing, or the nearest method. */
export function listPathHints({ verb, path }: Pick<ObservedRequest, 'verb' | 'path'>): Hint[] {
  const [, neighbour] = NEIGHBOURS.find(([pattern]) => pattern.test(path)) ?? []
  if (neighbour !== undefined)
    return [
      createHint(
        'FC109',
        `${neighbour} is not served`,
        'docs/guides/neighbours.md of the package says what to use in its place',
      ),
    ]
  const [place] = ROOTS.exec(path) ?? []
  if (place === undefined) return []
  const known = api.map((endpoint) => `${endpoint.verb} ${fillTemplate(endpoint.path, place)}`)
  const target = `${verb} ${place}`
  const nearest = findMisspelled(target, known)
  if (nearest === undefined) return []
  const [method, address = ''] = nearest.split(' ')
  const what = `No method has the path ${shorten(`${verb} ${path}`)}`
  return [createHint('FC109', what, `Send ${method} ${BASE}${address}; the base of all paths is ${BASE}`)]
}

/** Puts the ids of a path into a template. */
function fillTemplate(template: string, path: string): string {
  const parts = path.split('/')
  const names = template.split('/')
  return names.map((name, at) => (name.startsWith('{') ? (parts[at] ?? name) : name)).join('/')
}
