import { expectOk, expectTrue } from '../expect.ts'
import { absent } from '../matchers.ts'
import { errorScenarios, type ScenarioGroup, scenario } from '../scenario.ts'

const SETTINGS = '/users/me/settings'

export const quickAdd: ScenarioGroup = {
  name: 'quickAdd',
  scenarios: [
    scenario('quickAdd of a text with a date and times creates a timed event', '7.9', async (kit) => {
      const query = { text: 'Interview on June 3rd 2031 10am-10:25am' }
      const made = await kit.post(`${await kit.eventsPath()}/quickAdd`, undefined, { query })
      expectOk(made, {
        summary: /Interview/,
        start: { dateTime: '2031-06-03T10:00:00Z' },
        end: { dateTime: '2031-06-03T10:25:00Z' },
        sequence: 0,
        reminders: { useDefault: true },
      })
    }),
    scenario('quickAdd of a text with a date and no time creates an all-day event', '7.9', async (kit) => {
      const made = await kit.post(`${await kit.eventsPath()}/quickAdd`, undefined, {
        query: { text: 'Trip on June 5 2031' },
      })
      expectOk(made, { start: { date: '2031-06-05', dateTime: absent }, end: { date: '2031-06-06' } })
    }),
    scenario('an event of quickAdd without an end has the length of the setting', '7.9, 3.7', async (kit) => {
      const setting = await kit.get(`${SETTINGS}/defaultEventLength`)
      const minutes = setting.status === 200 ? Number(setting.body.value) : 60
      const query = { text: 'Lunch on June 4 2031 at 1pm' }
      const made = expectOk(await kit.post(`${await kit.eventsPath()}/quickAdd`, undefined, { query }))
      const { start, end } = made as unknown as Record<'start' | 'end', { dateTime: string }>
      const lasts = (Date.parse(end.dateTime) - Date.parse(start.dateTime)) / 60_000
      expectTrue(lasts === minutes, `it lasts ${lasts} minutes, the setting says ${minutes}`)
    }),
    scenario('quickAdd accepts its text in a form', '7.9, 11.14', async (kit) => {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      const made = await kit.post(`${await kit.eventsPath()}/quickAdd`, 'text=Tea+on+June+6+2031+at+4pm', { headers })
      expectOk(made, { summary: /Tea/, start: { dateTime: '2031-06-06T16:00:00Z' } })
    }),
    ...errorScenarios([
      [
        'quickAdd without a text is rejected',
        '7.9, 1.24, 2.2.1',
        'POST',
        'quickAdd',
        undefined,
        { status: 400, reason: 'required', location: 'text', message: 'Required parameter: text' },
      ],
    ]),
  ],
}
