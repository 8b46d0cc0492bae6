import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { playRecordings } from '../../../src/cli/conform/traffic/command.ts'
import type { OpenFake } from '../../../src/cli/conform/traffic/fake.ts'
import { createFakeCalendar } from '../../../src/index.ts'
import { fakeCalendar } from '../../support/command.ts'
import { FORMS, type Heard, heard } from './recordings.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-'))
let all: Heard[]
beforeAll(async () => {
  all = await heard()
})
afterAll(() => rmSync(folder, { recursive: true }))

const opened: OpenFake = (seed, now) => createFakeCalendar({ seed, ...(now && { now }) })

async function played(form: string, some: readonly Heard[]) {
  const file = join(folder, form)
  writeFileSync(file, FORMS[form]?.(some) ?? '')
  const { report, differs } = await playRecordings([file], 'json', opened, { say: () => {}, end: () => {} })
  return { differs, ...JSON.parse(report) }
}

const altered = (method: string, url: RegExp, change: (one: Heard) => Partial<Heard>) => {
  const at = all.findIndex((one) => one.method === method && url.test(one.url))
  expect(at).toBeGreaterThanOrEqual(0)
  return all.map((one, place) => (place === at ? { ...one, ...change(one) } : one))
}

test.each(Object.keys(FORMS))('a recording is played from what it shows, and agrees: %s', async (form) => {
  const { differs, summary, recordings } = await played(form, all)

  expect(recordings[0].requests.filter(({ verdict }: { verdict: string }) => verdict !== 'agrees')).toEqual([])
  expect({ differs, summary }).toEqual({ differs: false, summary: { agrees: all.length, differs: 0 } })
  expect(recordings[0]).toMatchObject({ leftOut: [], notSeeded: [] })
})

test.each(Object.keys(FORMS))('one answer that is another is told with its request: %s', async (form) => {
  const some = altered('PATCH', /events/, ({ text }) => ({ text: text.replace('Coffee', 'Cocoa') }))
  const { differs, summary, recordings } = await played(form, some)
  const [request] = recordings[0].requests.filter(({ verdict }: { verdict: string }) => verdict === 'differs')

  expect({ differs, summary }).toEqual({ differs: true, summary: { agrees: all.length - 1, differs: 1 } })
  expect(request.request).toMatch(/^PATCH \/calendars\/primary\/events\//)
  expect(request.how).toEqual(['summary: recorded "Cocoa", here "Coffee"'])
})

test.each<[string, string, RegExp, (one: Heard) => Partial<Heard>, string]>([
  ['a status', 'GET', /nothing$/, () => ({ status: 410 }), 'status: recorded 410, here 404'],
  [
    'a reason',
    'GET',
    /nothing$/,
    ({ text }) => ({ text: text.replace('"notFound"', '"gone"') }),
    'error.errors[0].reason: recorded "gone", here "notFound"',
  ],
  [
    'a field more',
    'POST',
    /events$/,
    ({ text }) => ({ text: text.replace('"status": "confirmed"', '"status": "confirmed",\n "locked": true') }),
    'locked: recorded true, here nothing',
  ],
  [
    'an item less',
    'GET',
    /instances$/,
    ({ text }) => ({ text: JSON.stringify({ ...JSON.parse(text), items: JSON.parse(text).items.slice(1) }) }),
    'items: recorded nothing, here ',
  ],
])('%s that is another is told', async (_, method, url, change, how) => {
  const { summary, recordings } = await played('events.har', altered(method, url, change))
  const differing = recordings[0].requests.filter(({ verdict }: { verdict: string }) => verdict === 'differs')

  expect(summary.differs).toBe(1)
  expect(differing[0].how.join()).toContain(how)
})

test('what cannot be played is left out, and told of', async () => {
  const other = { ...(all[0] as Heard), url: 'https://oauth2.googleapis.com/token', method: 'POST' }
  const busy = { ...(all[0] as Heard), status: 503, text: '' }
  const { differs, recordings } = await played('events.har', [other, busy, ...all])

  expect(differs).toBe(false)
  expect(recordings[0].leftOut).toEqual([
    'POST https://oauth2.googleapis.com/token: it is not of the API',
    expect.stringContaining('the service was busy (503)'),
  ])
})

test('the report is text with a line for each request, or JUnit', async () => {
  const file = join(folder, 'events.har')
  writeFileSync(file, FORMS['events.har']?.(altered('GET', /nothing$/, () => ({ status: 410 }))) ?? '')
  const [text, junit] = await Promise.all([
    fakeCalendar(['conform', '--har', file]),
    fakeCalendar(['conform', '--har', file, '--junit']),
  ])

  expect(text).toMatchObject({ code: 1, stderr: '' })
  expect(text.stdout).toContain(
    'differs  GET /calendars/primary/events/nothing\n       status: recorded 410, here 404\n',
  )
  expect(text.stdout).toContain(`${all.length} requests: ${all.length - 1} agree, 1 differ`)
  expect(junit.stdout).toContain(`tests="${all.length}" failures="1"`)
})

test.each([
  ['nothing.har', undefined, 'cannot read the recording: there is no such file'],
  ['page.har', '<html></html>', 'it is neither HAR nor a recording of nock, Polly or VCR'],
  ['empty.har', '{"log":{"entries":[]}}', 'it has no request of the API that can be played'],
])('%s is refused in one line', async (name, text, said) => {
  const file = join(folder, name)
  if (text !== undefined) writeFileSync(file, text)

  expect(await fakeCalendar(['conform', '--har', file])).toEqual({
    code: 1,
    stdout: '',
    stderr: `fake-calendar: ${file}: ${said}\n`,
  })
})
