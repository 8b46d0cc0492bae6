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
