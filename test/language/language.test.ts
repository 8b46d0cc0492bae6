import { expect, test } from 'vitest'
import { COVERED, findProblems, formatFinding } from './check.ts'
import { headlessSentences, headlessTitles } from './scan.ts'

test('sentences and test titles have a subject, limits have a name, and an exported type has one meaning', () => {
  expect(findProblems(COVERED).map(formatFinding)).toEqual([])
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

test.each([
  ["test('what overlaps is one', f)", ['what overlaps is one']],
  ["test('# nobody gets mail', f)", ['nobody gets mail']],
  ["describe.skipIf(isSlow)('# how a series ends', f)", ['how a series ends']],
  ["it.each([['one', 1]])(`whether %s is one`, f)", ['whether %s is one']],
  ["test.each([['what touches', 1], ['a gap', 2]] as const)('# %s is merged', f)", ['what touches']],
  ["const ROWS = [['none at all', 1]]; test.each(ROWS)('%s', f)", ['none at all']],
  ["test.each([['what', 1]])('the word %s', f)", []],
  ["test('# overlapping periods are merged', f); run('what', f)", []],
])('the headless titles of %j are %j', (text, titles) => {
  // The numbers of headings are inserted here, because the book of facts counts those at the start of a text.
  expect(headlessTitles(text.replace('#', '7.1, 14.3'))).toEqual(titles)
})
