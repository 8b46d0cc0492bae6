import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { EVENT_FIELDS } from '../../../src/model/events/fields.ts'
import { headings } from '../../support/book.ts'

/** Lists of event fields that decide nothing about the service, each with the reason. */
const OTHER_LISTS: Record<string, string> = {
  'src/evaluation/prove/variants.ts': 'The fields of which a proof writes the defaults.',
  'src/cli/capture/event.ts': 'The fields that a seed file leaves out, because every write computes them.',
  'src/cli/capture/shapes.ts': 'The kinds of the fields of all resources that a capture reads.',
  'src/model/events/fields.ts': 'The fields that each write sets anew are also part of a type.',
  'src/seeds/ical/eventFields.ts': 'The fields that a seed of an iCalendar exception sets to null.',
}
/** Clients of the service: the inspector. */
const CLIENTS = ['src/ui/']

/** Returns the first list of a file that names three or more fields of an event and nothing else. */
function findFieldList(file: string): string | undefined {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, false)
  let found: string | undefined
  const visit = (node: ts.Node): void => {
    if (ts.isArrayLiteralExpression(node) && node.elements.length >= 3) {
      const names = node.elements.map((one) => (ts.isStringLiteral(one) ? one.text : ''))
      if (names.every((name) => (EVENT_FIELDS as string[]).includes(name))) found ??= names.join(', ')
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

test('no source file except the table of event fields lists fields', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join('src', name))
    .filter((file) => !CLIENTS.some((folder) => file.startsWith(folder)))
  const lists = files.flatMap((file) => {
    const list = findFieldList(file)
    return list === undefined ? [] : [[file, list]]
  })
  const unknown = lists.filter(([file = '']) => !(file in OTHER_LISTS)).map(([file, list]) => `${file}: ${list}`)
  expect(unknown, 'use a column of src/model/events/fields.ts').toEqual([])
  expect(lists.map(([file]) => file).sort()).toEqual(Object.keys(OTHER_LISTS).sort())
})

test('3.2.1 the table of event fields has the key order of docs/behaviour/03-resources.md', () => {
  const [order = ''] = headings.find(({ number }) => number === '3.2.1')?.lines.filter(Boolean) ?? []
  const listed = order.replace(/^- |\. \[.*/g, '').split(', ')
  expect(listed, '3.2.1 and src/model/events/fields.ts differ').toEqual(EVENT_FIELDS)
})
