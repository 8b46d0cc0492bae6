import { expect, test } from 'vitest'
import { StandIns } from '../../../src/cli/capture/standIns.ts'

test.each(['5', 'n', 'N', '5-n', '·5'])('the stand-in for the shape %s is never the original', (original) => {
  const alwaysMiddle = () => 0.5
  const standIn = new StandIns(alwaysMiddle, new Set()).replaceCharacters(original)

  expect(standIn).not.toBe(original)
  expect(standIn).toHaveLength(original.length)
})
