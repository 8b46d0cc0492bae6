import { expect, test } from 'vitest'
import { createFakeCalendar } from '../../src/index.ts'
import { ANSWERS, ATTACKS, EQUALITY, gradeRow } from './rows.ts'

test.each(Object.keys({ ...EQUALITY, ...ATTACKS, ...ANSWERS }))(
  'what is right passes, and the nearest wrong fails: %s',
  async (name) => {
    const { right, wrong } = await gradeRow(createFakeCalendar(), name)

    expect(right).toEqual(right.map(() => true))
    expect(wrong).toEqual(wrong.map(() => false))
  },
)
