import { expect, test } from 'vitest'
import {
  deriveEpoch,
  type Epoch,
  epochAt,
  firstEpoch,
  knownEpochs,
  nextEpoch,
  validUntil,
} from '../../src/sync/tokens.ts'

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
  const epoch = deriveEpoch(state, 500, firstEpoch('here'))

  expect(validUntil(epoch, state)).toBe(500)
  expect(validUntil(epoch, { worldId: 'there', resetCount: 1 })).toBe(-1)
  expect(validUntil(epoch, firstEpoch('here'))).toBe(-1)
  expect(validUntil(epoch, epoch)).toBe(Number.POSITIVE_INFINITY)
  expect(epochAt(epoch, 500)).toBe(state)
  expect(epochAt(epoch, 501)).toBe(epoch)
  expect(epochAt(state, 0)).toBe(state)
})

test('a world made from a snapshot of a derived world accepts tokens of both ancestors', () => {
  const first = after(1, firstEpoch('first'))
  const second = deriveEpoch(first, 100, firstEpoch('second'))
  const third = deriveEpoch(second, 200, firstEpoch('third'))

  expect(validUntil(third, first)).toBe(100)
  expect(validUntil(third, second)).toBe(200)
  expect(epochAt(third, 150)).toBe(second)
})

test('worlds made from a snapshot at different moments reject each other’s tokens', () => {
  const state = firstEpoch('there')
  const [one, other] = [deriveEpoch(state, 500, firstEpoch('here')), deriveEpoch(state, 501, firstEpoch('here'))]

  expect(one.worldId).not.toBe(other.worldId)
  expect(one.worldId).toMatch(/^here:/)
  expect(validUntil(one, other)).toBe(undefined)
  expect(deriveEpoch(state, 500, firstEpoch('here'))).toEqual(one)
})

test('a world restored to a snapshot again accepts the tokens of the snapshot, and none issued in between', () => {
  const [state, another] = [firstEpoch('there'), firstEpoch('elsewhere')]
  const first = deriveEpoch(state, 500, firstEpoch('here'))
  const second = deriveEpoch(another, 600, first)
  const third = deriveEpoch(state, 500, second)
  const again = deriveEpoch(state, 500, third)

  expect(validUntil(second, first)).toBe(-1)
  expect(validUntil(second, another)).toBe(600)
  expect(validUntil(third, second)).toBe(-1)
  expect(validUntil(third, state)).toBe(500)
  expect(first.worldId.split(':')).toHaveLength(2)
  expect(second.worldId.split(':')).toHaveLength(2)
  expect(idOf(again)).toEqual({ worldId: third.worldId, resetCount: third.resetCount + 1 })
  expect(validUntil(again, third)).toBe(-1)
  expect(validUntil(again, state)).toBe(500)
  expect(validUntil(deriveEpoch(state, 700, again), state)).toBe(700)
})

test('after a reset the tokens of all earlier epochs are expired', () => {
  const state = firstEpoch('there')
  const epoch = deriveEpoch(state, 500, firstEpoch('here'))
  const reset = nextEpoch(epoch)

  expect(validUntil(reset, epoch)).toBe(-1)
  expect(validUntil(reset, state)).toBe(-1)
  expect(validUntil(reset, firstEpoch('here'))).toBe(-1)
  expect(reset.parent).toBe(undefined)
})

test('an epoch remembers the last epoch of each of at most a hundred worlds', () => {
  let epoch = firstEpoch('main')
  for (let line = 0; line < 300; line++) epoch = deriveEpoch(firstEpoch(`line${line}`), line, epoch)

  expect(epoch.former.length).toBeLessThanOrEqual(101)
  expect(validUntil(epoch, firstEpoch('line299'))).toBe(299)
  expect(validUntil(epoch, firstEpoch('line290'))).toBe(-1)
  expect(new Set(epoch.former.map(({ worldId }) => worldId)).size).toBe(epoch.former.length)
})

test('knownEpochs lists the present epoch, its parent and the latest hundred of each world', () => {
  const epoch = deriveEpoch(after(3, firstEpoch('there')), 500, after(150))
  const epochs = [...knownEpochs(epoch)].map(
    ({ worldId, resetCount }) => `${worldId.split(':').length > 1 ? 'own' : worldId} ${resetCount}`,
  )
  const from = (line: string, last: number, count: number) =>
    Array.from({ length: count }, (_, back) => `${line} ${last - back}`)

  expect(epochs).toEqual([...from('own', 151, 100), ...from('there', 3, 4), ...from('main', 150, 100)])
})
