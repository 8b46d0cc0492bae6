import { expectOk, expectShape, expectStatus, expectTrue, listErrorItems, type ReceivedResponse } from '../../expect.ts'
import type { Kit } from '../../kit.ts'
import { contains } from '../../matchers.ts'
import { type ScenarioGroup, scenario } from '../../scenario.ts'
import type { HttpVerb } from '../../target.ts'

const LIST = '/users/me/calendarList'
const SETTINGS = '/users/me/settings'
/** Returns the options that suppress mail about rules; none for other resources, and for DELETE, which sends none. */
const suppressMail = (kind: string, verb = 'PUT') =>
  verb !== 'DELETE' && kind === 'rule' ? { query: { sendNotifications: false } } : {}
const PUBLIC = { role: 'reader', scope: { type: 'default' } }

/**
 * Adds a rule for the public to a calendar: the shared one, or for `DELETE` an own one. Returns the paths of the calendar, its
 * list entry and the rule.
 */
async function createResources(kit: Kit, verb?: HttpVerb) {
  const id = verb === 'DELETE' ? await kit.createOwnCalendar() : await kit.calendarId()
  const calendar = `/calendars/${id}`
  await kit.require(kit.post(`${calendar}/acl`, PUBLIC, suppressMail('rule')))
  return { calendar, entry: `${LIST}/${id}`, rule: `${calendar}/acl/default` }
}

/** Checks that a response is 200 and that its header ETag is the etag of its body. Throws a DifferenceError. */
function expectEtagHeader(answer: ReceivedResponse): void {
  const { etag } = expectOk(answer, { etag: /^".+"$/ })
  const header = answer.headers.get('ETag')
  expectTrue(header === etag, `${answer.request}: the header ETag is ${header}, the body’s ${etag}`)
}

/** Checks that a second read of a path with the etag of the first one is 304. Throws a DifferenceError. */
async function expectNotModified(kit: Kit, path: string): Promise<void> {
  const { etag } = expectOk(await kit.get(path))
  expectStatus(await kit.get(path, {}, { headers: { 'If-None-Match': etag } }), 304)
}

/** The kinds of resources, with their names in titles. */
const NAMES = { calendar: 'calendar', entry: 'list entry', rule: 'rule' } as const

/** A write of each kind, and the body that it sends. */
const WRITES: readonly (readonly [keyof typeof NAMES, HttpVerb, unknown])[] = [
  ['calendar', 'PATCH', { description: 'Late' }],
  ['calendar', 'PUT', { summary: 'Late' }],
  ['entry', 'PATCH', { colorId: '3' }],
  ['entry', 'PUT', { colorId: '3' }],
  ['rule', 'PATCH', { role: 'freeBusyReader' }],
  ['rule', 'PUT', { ...PUBLIC, role: 'freeBusyReader' }],
  ['rule', 'DELETE', undefined],
  ['calendar', 'DELETE', undefined],
]

export const validators: ScenarioGroup = {
  name: 'validators',
  scenarios: [
    ...(['calendar', 'entry', 'rule'] as const).map((kind) =>
      scenario(`reads and writes of a ${NAMES[kind]} return its etag as a header`, '11.5', async (kit) => {
        const path = (await createResources(kit))[kind]
        expectEtagHeader(await kit.get(path))
        for (const [other, verb, body] of WRITES)
          if (other === kind && body) expectEtagHeader(await kit.call(verb, path, body, suppressMail(kind, verb)))
      }),
    ),
    scenario('every write of an event returns its etag as a header', '11.5', async (kit) => {
      const path = await kit.eventsPath()
      const { id } = await kit.createEvent()
      expectEtagHeader(await kit.patch(`${path}/${id}`, { summary: 'One' }))
      expectEtagHeader(await kit.put(`${path}/${id}`, { ...kit.hour(9), summary: 'Two' }))
      const iCalUID = `${await kit.unusedId()}@example.com`
      expectEtagHeader(await kit.post(`${path}/import`, { ...kit.hour(9), iCalUID }))
      expectEtagHeader(await kit.post(`${path}/quickAdd`, undefined, { query: { text: 'Tea' } }))
    }),
    ...(['calendar', 'entry', 'rule'] as const).map((kind) =>
      scenario(`a read of a ${NAMES[kind]} with its current etag is 304`, '11.9', async (kit) =>
        expectNotModified(kit, (await createResources(kit))[kind]),
      ),
    ),
    scenario('a read of a setting with its current etag is 304', '11.9', (kit) =>
      expectNotModified(kit, `${SETTINGS}/timezone`),
    ),
    ...[LIST, SETTINGS, 'acl'].map((list) =>
      scenario(`a read of the list ${list} with its current etag is 304`, '11.9', async (kit) =>
        expectNotModified(kit, list === 'acl' ? `${(await createResources(kit)).calendar}/acl` : list),
      ),
    ),
    scenario('a read of a list with a former etag returns a new event', '11.9, 3.11', async (kit) => {
      const path = await kit.eventsPath()
      const { etag } = expectOk(await kit.get(path, kit.week()))
      const { id } = await kit.createEvent()
      const headers = { 'If-None-Match': etag }
      expectOk(await kit.get(path, kit.week(), { headers }), { items: contains({ id }) })
    }),
    ...WRITES.map(([kind, verb, body]) =>
      scenario(`${verb} of a ${NAMES[kind]} with a former etag is 412`, '11.8, 2.2.4', async (kit) => {
        const path = (await createResources(kit, kind === 'calendar' ? verb : undefined))[kind]
        const headers = { 'If-Match': '"1"' }
        const answer = await kit.call(verb, path, body, { headers, ...suppressMail(kind, verb) })
        expectStatus(answer, 412)
        expectShape(answer, listErrorItems(answer), [
          { reason: 'conditionNotMet', locationType: 'header', location: 'If-Match' },
        ])
        const { etag } = expectOk(await kit.get(path))
        const current = await kit.call(verb, path, body, { headers: { 'If-Match': etag }, ...suppressMail(kind, verb) })
        expectStatus(current, verb === 'DELETE' ? 204 : 200)
      }),
    ),
    scenario('settings have etags of 16 digits', '3.10.2', async (kit) => {
      const { items } = expectOk(await kit.get(SETTINGS))
      const wrong = items.filter(({ etag }) => !/^"\d{16}"$/.test(etag))
      expectTrue(wrong.length === 0, `the setting ${wrong[0]?.id} has the etag ${wrong[0]?.etag}`)
    }),
  ],
}
