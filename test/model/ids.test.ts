import { expect, test } from 'vitest'
import { digest, Ids } from '../../src/model/ids.ts'

const openWith = (ids = 0) => {
  const counters = { ids }
  return { ids: new Ids({ counters }), counters }
}

// Ids must be the same as in earlier versions, because recordings and seeds name them.
test('the first id of each kind is the same in every version', () => {
  expect(openWith().ids.eventId()).toBe('j9btbggsghaet20iam1cb1j3tq')
  expect(openWith().ids.calendarId()).toBe(
    '39bdb00c01aed202a61cb133da4e4cc62a53c93c7caea7d775e25c97d201b978@group.calendar.google.com',
  )
  expect(openWith().ids.userCode()).toBe('KRKC-FQGB')
  expect(openWith().ids.meetingCode()).toBe('prh-hruu-eov')
  expect(openWith().ids.labelId()).toBe('39bdb00c-01ae-4d20-aa61-cb133da4e4cc')
  expect(openWith().ids.token(30)).toBe('zJr9rwwcwxKu9igyKWBMLBTjdaE_08')
  expect(openWith().ids.digits(9)).toBe('837132404')
  expect(openWith().ids.step()).toBe(518900)
  expect(openWith().ids.fraction()).toBe(0.6270739405881613)
})

test('the ids after a thousand draws are the same in every version', () => {
  const { ids, counters } = openWith()
  for (let draw = 0; draw < 1000; draw++) ids.fraction()

  expect(counters.ids).toBe(1000)
  expect(ids.eventId()).toBe('o0344q2kga3oq1okadc8i2h9jp')
})

test('digits never begin with zero, and a step is never 0', () => {
  const { ids } = openWith()
  for (let draw = 0; draw < 200; draw++) expect(ids.digits(3)).toMatch(/^[1-9]\d\d$/)
  const steps = Array.from({ length: 200 }, () => ids.step())

  expect(Math.min(...steps)).toBeGreaterThan(0)
  expect(Math.max(...steps)).toBeLessThanOrEqual(2 ** 23)
})

test('a digest is that of its algorithm, in url-safe characters', () => {
  expect(digest('a', 'sha1')).toBe('hvfkN_qlp_zhXR3cuerq6jd2Z7g')
  expect(digest('a', 'sha256')).toBe('ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs')
})
