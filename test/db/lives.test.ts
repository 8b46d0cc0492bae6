import { expect, test } from 'vitest'
import { goodUntil, type Life, lifeAt, lifeFrom, livesOf, nameOf, newLife, nextLife } from '../../src/db/epoch.ts'

const named = ({ line, number }: Life) => ({ line, number })
/** A world's life after so many resets. */
const after = (resets: number, life = newLife('main')) => {
  let present = life
  for (let reset = 0; reset < resets; reset++) present = nextLife(present)
  return present
}

test('a life is called by its line and its number', () => {
  expect(nameOf(newLife('main'))).toBe('main.0')
  expect(nameOf(newLife('main', 7))).toBe('main.7')
  expect(named(after(3))).toEqual({ line: 'main', number: 3 })
})

test('tokens of the present life are good, those of earlier ones are over, and of no other', () => {
  const present = after(3)

  expect(goodUntil(present, present)).toBe(Number.POSITIVE_INFINITY)
  for (const number of [0, 1, 2]) expect(goodUntil(present, { line: 'main', number })).toBe(-1)
  expect(goodUntil(present, { line: 'main', number: 4 })).toBe(undefined)
  expect(goodUntil(present, { line: 'other', number: 0 })).toBe(undefined)
})

test('a world that is made from a state takes the tokens of before the state was taken', () => {
  const state = after(2, newLife('there'))
  const life = lifeFrom(state, 500, newLife('here'))

  expect(goodUntil(life, state)).toBe(500)
  expect(goodUntil(life, { line: 'there', number: 1 })).toBe(-1)
  expect(goodUntil(life, newLife('here'))).toBe(-1)
  expect(goodUntil(life, life)).toBe(Number.POSITIVE_INFINITY)
  expect(lifeAt(life, 500)).toBe(state)
  expect(lifeAt(life, 501)).toBe(life)
  expect(lifeAt(state, 0)).toBe(state)
})

test('what was good before a state was taken is as good in what is made from it', () => {
  const first = after(1, newLife('first'))
  const second = lifeFrom(first, 100, newLife('second'))
  const third = lifeFrom(second, 200, newLife('third'))

  expect(goodUntil(third, first)).toBe(100)
  expect(goodUntil(third, second)).toBe(200)
  expect(lifeAt(third, 150)).toBe(second)
})

test('two that are made from a state at different moments do not take each other’s tokens', () => {
  const state = newLife('there')
  const [one, other] = [lifeFrom(state, 500, newLife('here')), lifeFrom(state, 501, newLife('here'))]

  expect(one.line).not.toBe(other.line)
  expect(one.line).toMatch(/^here:/)
  expect(goodUntil(one, other)).toBe(undefined)
  expect(lifeFrom(state, 500, newLife('here'))).toEqual(one)
})

test('a world that becomes a state, and another, and the first again, takes what it took, and its own of between no more', () => {
  const [state, another] = [newLife('there'), newLife('elsewhere')]
  const first = lifeFrom(state, 500, newLife('here'))
  const second = lifeFrom(another, 600, first)
  const third = lifeFrom(state, 500, second)
  const again = lifeFrom(state, 500, third)

  expect(goodUntil(second, first)).toBe(-1)
  expect(goodUntil(second, another)).toBe(600)
  expect(goodUntil(third, second)).toBe(-1)
  expect(goodUntil(third, state)).toBe(500)
  expect(first.line.split(':')).toHaveLength(2)
  expect(second.line.split(':')).toHaveLength(2)
  expect(named(again)).toEqual({ line: third.line, number: third.number + 1 })
  expect(goodUntil(again, third)).toBe(-1)
  expect(goodUntil(again, state)).toBe(500)
  expect(goodUntil(lifeFrom(state, 700, again), state)).toBe(700)
})

test('after a reset nothing of before is good, of whatever line it was', () => {
  const state = newLife('there')
  const life = lifeFrom(state, 500, newLife('here'))
  const reset = nextLife(life)

  expect(goodUntil(reset, life)).toBe(-1)
  expect(goodUntil(reset, state)).toBe(-1)
  expect(goodUntil(reset, newLife('here'))).toBe(-1)
  expect(reset.split).toBe(undefined)
})

test('of each line the last life is remembered, and at most a hundred lines', () => {
  let life = newLife('main')
  for (let line = 0; line < 300; line++) life = lifeFrom(newLife(`line${line}`), line, life)

  expect(life.former.length).toBeLessThanOrEqual(101)
  expect(goodUntil(life, newLife('line299'))).toBe(299)
  expect(goodUntil(life, newLife('line290'))).toBe(-1)
  expect(new Set(life.former.map(({ line }) => line)).size).toBe(life.former.length)
})

test('a token may be of the present life, of one that it goes on from, or of the latest hundred of each', () => {
  const life = lifeFrom(after(3, newLife('there')), 500, after(150))
  const lives = [...livesOf(life)].map(({ line, number }) => `${line.split(':').length > 1 ? 'own' : line} ${number}`)
  const from = (line: string, last: number, count: number) =>
    Array.from({ length: count }, (_, back) => `${line} ${last - back}`)

  expect(lives).toEqual([...from('own', 151, 100), ...from('there', 3, 4), ...from('main', 150, 100)])
})
