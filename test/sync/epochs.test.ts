import { expect, test } from 'vitest'
import {
  continueEpoch,
  type Epoch,
  epochAt,
  firstEpoch,
  nextEpoch,
  recognisedEpochs,
  restoreEpoch,
  validUntil,
} from '../../src/sync/epochs.ts'

const idOf = ({ worldId, resetCount }: Epoch) => ({ worldId, resetCount })
/** Returns the epoch of a world after some resets. */
const after = (resets: number, epoch = firstEpoch('main')) => {
  let present = epoch
  for (let reset = 0; reset < resets; reset++) present = nextEpoch(present)
  return present
}

test('an epoch is named by its world and its number of resets', () => {
  expect(idOf(after(3))).toEqual({ worldId: 'main', resetCount: 3 })
})

test('tokens of the present epoch are valid, those of earlier ones are expired, and others are unknown', () => {
  const present = after(3)

  expect(validUntil(present, present)).toBe(Number.POSITIVE_INFINITY)
  for (const resetCount of [0, 1, 2]) expect(validUntil(present, { worldId: 'main', resetCount })).toBe(-1)
  expect(validUntil(present, { worldId: 'main', resetCount: 4 })).toBe(undefined)
  expect(validUntil(present, { worldId: 'other', resetCount: 0 })).toBe(undefined)
})

test('a world made from a snapshot accepts tokens from before the snapshot', () => {
  const state = after(2, firstEpoch('there'))
  const epoch = continueEpoch(firstEpoch('here'), state, 500)

  expect(validUntil(epoch, state)).toBe(500)
  expect(validUntil(epoch, { worldId: 'there', resetCount: 1 })).toBe(-1)
  expect(validUntil(epoch, firstEpoch('here'))).toBe(-1)
  expect(validUntil(epoch, epoch)).toBe(Number.POSITIVE_INFINITY)
  expect(epochAt(epoch, 500)).toEqual(state)
  expect(epochAt(epoch, 501)).toBe(epoch)
  expect(epochAt(state, 0)).toBe(state)
})

test('a world made from a snapshot of a derived world accepts tokens of both ancestors', () => {
  const first = after(1, firstEpoch('first'))
  const second = continueEpoch(firstEpoch('second'), first, 100)
  const third = continueEpoch(firstEpoch('third'), second, 200)

  expect(validUntil(third, first)).toBe(100)
  expect(validUntil(third, second)).toBe(200)
  expect(epochAt(third, 150)).toEqual(second)
})

test('worlds made from a snapshot at different moments reject each other’s tokens', () => {
  const state = firstEpoch('there')
  const [one, other] = [continueEpoch(firstEpoch('here'), state, 500), continueEpoch(firstEpoch('here'), state, 501)]

  expect(one.worldId).not.toBe(other.worldId)
  expect(one.worldId).toMatch(/^here:/)
  expect(validUntil(one, other)).toBe(undefined)
  expect(continueEpoch(firstEpoch('here'), state, 500)).toEqual(one)
})

test('a world restored to a snapshot again accepts the tokens of the snapshot, and none issued in between', () => {
  const [state, another] = [firstEpoch('there'), firstEpoch('elsewhere')]
  const first = continueEpoch(firstEpoch('here'), state, 500)
  const second = continueEpoch(first, another, 600)
  const third = continueEpoch(second, state, 500)
  const again = continueEpoch(third, state, 500)

  expect(validUntil(second, first)).toBe(-1)
  expect(validUntil(second, another)).toBe(600)
  expect(validUntil(third, second)).toBe(-1)
  expect(validUntil(third, state)).toBe(500)
  expect(first.worldId.split(':')).toHaveLength(2)
  expect(second.worldId.split(':')).toHaveLength(2)
  expect(idOf(again)).toEqual({ worldId: third.worldId, resetCount: third.resetCount + 1 })
  expect(validUntil(again, third)).toBe(-1)
  expect(validUntil(again, state)).toBe(500)
  expect(validUntil(continueEpoch(again, state, 700), state)).toBe(700)
})

test('after a reset the tokens of all earlier epochs are expired', () => {
  const state = firstEpoch('there')
  const epoch = continueEpoch(firstEpoch('here'), state, 500)
  const reset = nextEpoch(epoch)

  expect(validUntil(reset, epoch)).toBe(-1)
  expect(validUntil(reset, state)).toBe(-1)
  expect(validUntil(reset, firstEpoch('here'))).toBe(-1)
  expect(epochAt(reset, 400)).toBe(reset)
})

test('a restore keeps the world id, and later tokens of the discarded time have expired', () => {
  const early = after(1)
  const first = restoreEpoch(early, early, 500)
  const second = restoreEpoch(first, first, 600)
  const back = restoreEpoch(second, early, 500)

  expect([first, second, back].map(idOf)).toEqual([2, 3, 4].map((resetCount) => ({ worldId: 'main', resetCount })))
  expect(validUntil(second, first)).toBe(600)
  expect(validUntil(second, early)).toBe(500)
  expect(validUntil(back, early)).toBe(500)
  for (const discarded of [first, second, firstEpoch('main')]) expect(validUntil(back, discarded)).toBe(-1)
})

test('an epoch continues at most a hundred others, the latest first', () => {
  let epoch = firstEpoch('main')
  for (let moment = 0; moment < 300; moment++) epoch = restoreEpoch(epoch, epoch, moment)

  expect(epoch.continues).toHaveLength(100)
  expect(validUntil(epoch, firstEpoch('main', 299))).toBe(299)
  expect(validUntil(epoch, firstEpoch('main', 200))).toBe(200)
  expect(validUntil(epoch, firstEpoch('main', 199))).toBe(-1)
})

test('recognisedEpochs lists the present epoch and those it continues, with the latest hundred resets of each', () => {
  const epoch = continueEpoch(after(150), after(3, firstEpoch('there')), 500)
  const epochs = [...recognisedEpochs(epoch)].map(
    ({ worldId, resetCount }) => `${worldId.split(':').length > 1 ? 'own' : worldId} ${resetCount}`,
  )
  const from = (line: string, last: number, count: number) =>
    Array.from({ length: count }, (_, back) => `${line} ${last - back}`)

  expect(epochs).toEqual([...from('own', 151, 100), ...from('there', 3, 4), ...from('main', 151, 100)])
})
