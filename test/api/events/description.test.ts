import { expect, test } from 'vitest'
import { ALICE, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LINE = '-::~:~::~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~::~:~::-'
const BLOCK = `${LINE}\nJoin with Google Meet: https://meet.google.com/abc-defg-hij\n\nPlease do not edit this section.\n${LINE}`
const SHORT = '-::~:~::~:~::~:~::-'

const DESCRIPTIONS: [title: string, written: string, stored: string | undefined][] = [
  ['a block alone', BLOCK, undefined],
  ['a block between empty lines', `\n\n${BLOCK}\n`, undefined],
  ['a block below a text', `Agenda\n\n${BLOCK}`, 'Agenda\n\n'],
  ['a block between two texts', `Agenda\n${BLOCK}\nNotes`, 'Agenda\n\nNotes'],
  ['two blocks', `${BLOCK}one${BLOCK}two`, 'onetwo'],
  ['lines of two lengths', `one-::~:~::~:~:~::~:~::-x${LINE}two`, 'onetwo'],
  ['a block in an element', `<b>Agenda</b><span style="white-space:pre">${BLOCK}</span>`, '<b>Agenda</b>'],
  ['a block in an element with more', `<span>Agenda ${BLOCK}</span>`, '<span>Agenda </span>'],
  ['a line alone', `Agenda\n${LINE}\nNotes`, `Agenda\n${LINE}\nNotes`],
  ['short lines', `Agenda\n${SHORT}\nNotes\n${SHORT}`, `Agenda\n${SHORT}\nNotes\n${SHORT}`],
  ['the text without its lines', 'Join with Google Meet: https://meet.google.com/abc', 'Join with Google Meet: https://meet.google.com/abc'],
  ['other HTML', '<span style="white-space:pre">Agenda</span>', '<span style="white-space:pre">Agenda</span>'],
] // biome-ignore format: a table

test.each(DESCRIPTIONS)('3.2.19 %s: inserted, imported, patched and put', async (_, description, stored) => {
  const alice = openCalendar().as(ALICE)
  const lunch = hour('2026-03-02', 12)
  const { body: plain } = await alice.post(EVENTS, { ...lunch, description: 'Before' })
  const path = `${EVENTS}/${plain.id}`
  const replies = [
    await alice.post(EVENTS, { ...lunch, description }),
    await alice.post(`${EVENTS}/import`, { ...lunch, iCalUID: 'lunch', description }),
    await alice.patch(path, { description }),
    await alice.put(path, { ...lunch, description }),
  ]
  expect(replies.map(({ status, body }) => [status, body.description])).toEqual(replies.map(() => [200, stored]))
  expect('description' in (await alice.get(path)).body).toBe(stored !== undefined)
})
