import { expect, test } from 'vitest'
import { ALICE, openCalendar } from '../support/calendar.ts'

const REFUSED = ['..', '.', '', 'a\u0001b', 'a\nb', '\u007f']
const ACCEPTED = ['a/b', 'a%2fb', '%', ' ', 'ü', 'a b', '__proto__', 'constructor', 'x..y']

test.each(REFUSED)('a snapshot cannot have the name %j', async (name) => {
  const { fake, as } = openCalendar()
  expect(() => fake.snapshot(name)).toThrow(/^name: a name /)
  const { status, body } = await as(ALICE).post('/_control/snapshots', { name })
  expect(status).toBe(400)
  expect(body.error.message.split('\n')).toHaveLength(1)
})

test.each(ACCEPTED)('a snapshot with the name %j can be listed, restored and deleted by every way', async (name) => {
  const { fake, as } = openCalendar()
  const alice = as(ALICE)
  fake.snapshot(name)
  expect(fake.snapshots()).toMatchObject([{ name }])
  fake.restore(name)
  fake.deleteSnapshot(name)
  expect(fake.snapshots()).toEqual([])

  const path = `/_control/snapshots/${encodeURIComponent(name)}`
  expect((await alice.post('/_control/snapshots', { name })).status).toBe(200)
  expect((await alice.post(`${path}/restore`)).status).toBe(200)
  expect((await alice.delete(path)).status).toBe(200)
  expect((await alice.put(path, {})).status).toBe(404)
})

test.each([...REFUSED, 'a/b', '%', 'ü', 'a b'])('a world cannot have the name %j', async (name) => {
  const { fake } = openCalendar()
  expect(() => fake.world(name)).toThrow('The name of a world is 1 to 64 letters')
  const { status } = await fake.request('/_control/health', {
    headers: { 'X-Fake-Calendar-World': encodeURI(name) || ' ' },
  })
  expect(status).toBeLessThan(500)
})

test('a word of JavaScript in a path or a parameter is an unknown name', async () => {
  const { as } = openCalendar()
  for (const word of ['constructor', 'toString', '__proto__']) {
    expect((await as(ALICE).get(`/_control/${word}`)).status).toBe(404)
    expect((await as(ALICE).delete(`/_control/worlds/${word}`)).status).toBeLessThan(500)
    expect((await as(ALICE).get(`/colors?${word}=1`)).status).toBe(200)
  }
})
