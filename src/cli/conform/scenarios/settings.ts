import { expectOk, expectTrue } from '../expect.ts'
import { everyItem, exactKeys, text } from '../matchers.ts'
import { errorScenarios, type ScenarioGroup, scenario } from '../scenario.ts'

const SETTINGS = '/users/me/settings'

export const settings: ScenarioGroup = {
  name: 'settings',
  scenarios: [
    scenario('settings are strings, in an envelope with a sync token', '3.7, 5.19', async (kit) => {
      const { items, last } = await kit.listAll(SETTINGS)
      expectTrue(last.kind === 'calendar#settings', `the list is of the kind ${last.kind}`)
      expectTrue(typeof last.nextSyncToken === 'string', 'the last page has no nextSyncToken')
      expectOk(
        { ...(await kit.get(SETTINGS)), body: { ...last, items } },
        {
          items: everyItem({ kind: 'calendar#setting', id: text, value: text, etag: text }),
        },
      )
    }),
    scenario('a setting has kind, etag, id and value', '3.7, 11.5', async (kit) => {
      const answer = await kit.get(`${SETTINGS}/timezone`)
      expectOk(answer, exactKeys('kind', 'etag', 'id', 'value'))
      expectTrue(answer.headers.get('ETag') === answer.body.etag, 'the header ETag is not the body’s')
    }),
    scenario('a delta of settings is empty if nothing changed', '5.19, 5.7', async (kit) => {
      const { last } = await kit.listAll(SETTINGS)
      expectOk(await kit.get(SETTINGS, { syncToken: last.nextSyncToken }), { items: [], nextSyncToken: text })
    }),
    ...errorScenarios([
      [
        'an unknown setting is 404',
        '3.7',
        'GET',
        `${SETTINGS}/nothing`,
        undefined,
        { status: 404, reason: 'notFound' },
      ],
    ]),
  ],
}

export const colors: ScenarioGroup = {
  name: 'colors',
  scenarios: [
    scenario('the palettes have 24 and 11 colours', '3.8', async (kit) => {
      const answer = await kit.get('/colors')
      const { calendar, event } = expectOk(answer, {
        kind: 'calendar#colors',
        updated: '2012-02-14T00:00:00.000Z',
        calendar: { 1: { background: '#ac725e', foreground: '#1d1d1d' }, 24: { background: '#a47ae2' } },
        event: { 1: { background: '#a4bdfc', foreground: '#1d1d1d' }, 11: { background: '#dc2127' } },
      }) as unknown as { calendar: object; event: object }
      const sizes = [calendar, event].map((palette) => Object.keys(palette).length).join()
      expectTrue(sizes === '24,11', `the palettes have ${sizes} colours`)
    }),
    scenario('colours may be cached for an hour', '11.4, 11.5', async (kit) => {
      const { headers } = await kit.get('/colors')
      expectTrue(
        /max-age=3600/.test(headers.get('Cache-Control') ?? ''),
        `Cache-Control is ${headers.get('Cache-Control')}`,
      )
      expectTrue(headers.get('ETag') === null, 'colours have an ETag')
    }),
  ],
}
