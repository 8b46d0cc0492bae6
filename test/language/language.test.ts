import { expect, test } from 'vitest'
import { ALLOWED, COVERED } from './allowed.ts'
import { findProblems, formatFinding, unusedAllowances } from './check.ts'
import { headlessSentences } from './scan.ts'

test('the covered folders use the vocabulary of the glossary', () => {
  expect(findProblems(COVERED).map(formatFinding)).toEqual([])
})

test('every exception from the vocabulary is used and has a reason', () => {
  expect(unusedAllowances()).toEqual([])
  for (const reason of ALLOWED.map((entry) => entry.reason)) {
    expect(reason).toMatch(/^[A-Z].{10,}\.$/)
  }
})

test.each([
  ['What a client sent.', 1],
  ['Returns the body. Whose it is follows from the token.', 1],
  ['That nobody reads it is an error.', 1],
  ['Returns what a client sent. That is the body.', 0],
  ['Returns the body, because `Whether` is a word.', 0],
])('%j has %i headless sentences', (text, count) => {
  expect(headlessSentences(text)).toHaveLength(count)
})
