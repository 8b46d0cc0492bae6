import { errorItems, expectOk, expectShape, expectStatus, expectTrue, type ReceivedResponse } from '../../expect.ts'
import type { Kit } from '../../kit.ts'
import { contains } from '../../matchers.ts'
import { type ScenarioGroup, scenario } from '../../scenario.ts'
import type { HttpVerb } from '../../target.ts'

const LIST = '/users/me/calendarList'
const SETTINGS = '/users/me/settings'
/** Suppresses mail about rules. */
const silent = (kind: string, verb = 'PUT') =>
  verb !== 'DELETE' && kind === 'rule' ? { query: { sendNotifications: false } } : {}
const PUBLIC = { role: 'reader', scope: { type: 'default' } }

/** Adds a rule for the public to a calendar. Returns the paths of the calendar, its list entry and the rule. */
async function resources(kit: Kit, verb?: HttpVerb) {
  const id = verb === 'DELETE' ? await kit.ownCalendar() : await kit.calendar()
  const calendar = `/calendars/${id}`
  await kit.require(kit.post(`${calendar}/acl`, PUBLIC, silent('rule')))
  return { calendar, entry: `${LIST}/${id}`, rule: `${calendar}/acl/default` }
}

function expectEtagHeader(answer: ReceivedResponse): void {
  const { etag } = expectOk(answer, { etag: /^".+"$/ })
  const header = answer.headers.get('ETag')
  expectTrue(header === etag, `${answer.request}: the header ETag is ${header}, the body’s ${etag}`)
}

async function expectNotModified(kit: Kit, path: string): Promise<void> {
  const { etag } = expectOk(await kit.get(path))
  expectStatus(await kit.get(path, {}, { headers: { 'If-None-Match': etag } }), 304)
}

/** A write of each kind, and the body that it sends. */
const WRITES: readonly (readonly ['calendar' | 'entry' | 'rule', HttpVerb, unknown])[] = [
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
      scenario(`a read and a write of a ${kind} have its etag as a header`, '11.5', async (kit) => {
        const path = (await resources(kit))[kind]
        expectEtagHeader(await kit.get(path))
        for (const [other, verb, body] of WRITES)
          if (other === kind && body) expectEtagHeader(await kit.call(verb, path, body, silent(kind, verb)))
      }),
    ),
    scenario('every write of an event has its etag as a header', '11.5', async (kit) => {
      const path = await kit.events()
      const { id } = await kit.event()
      expectEtagHeader(await kit.patch(`${path}/${id}`, { summary: 'One' }))
      expectEtagHeader(await kit.put(`${path}/${id}`, { ...kit.hour(9), summary: 'Two' }))
      const iCalUID = `${await kit.id()}@example.com`
      expectEtagHeader(await kit.post(`${path}/import`, { ...kit.hour(9), iCalUID }))
      expectEtagHeader(await kit.post(`${path}/quickAdd`, undefined, { query: { text: 'Tea' } }))
    }),
    ...(['calendar', 'entry', 'rule'] as const).map((kind) =>
      scenario(`a ${kind} that has not changed is 304`, '11.9', async (kit) =>
        expectNotModified(kit, (await resources(kit))[kind]),
      ),
    ),
    scenario('a setting that has not changed is 304', '11.9', (kit) => expectNotModified(kit, `${SETTINGS}/timezone`)),
    ...[LIST, SETTINGS, 'acl'].map((list) =>
      scenario(`a list of ${list} that has not changed is 304`, '11.9', async (kit) =>
        expectNotModified(kit, list === 'acl' ? `${(await resources(kit)).calendar}/acl` : list),
      ),
    ),
    scenario('a list with a new event is no longer 304', '11.9, 3.11', async (kit) => {
      const path = await kit.events()
      const { etag } = expectOk(await kit.get(path, kit.week()))
      const { id } = await kit.event()
      const headers = { 'If-None-Match': etag }
      expectOk(await kit.get(path, kit.week(), { headers }), { items: contains({ id }) })
    }),
    ...WRITES.map(([kind, verb, body]) =>
      scenario(`a former etag is 412 to ${verb} of a ${kind}`, '11.8, 2.2.4', async (kit) => {
        const path = (await resources(kit, kind === 'calendar' ? verb : undefined))[kind]
        const headers = { 'If-Match': '"1"' }
        const answer = await kit.call(verb, path, body, { headers, ...silent(kind, verb) })
        expectStatus(answer, 412)
        expectShape(answer, errorItems(answer), [
          { reason: 'conditionNotMet', locationType: 'header', location: 'If-Match' },
        ])
        const { etag } = expectOk(await kit.get(path))
        const current = await kit.call(verb, path, body, { headers: { 'If-Match': etag }, ...silent(kind, verb) })
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
