import { expect, test } from 'vitest'
import type { AgentTask } from '../../src/control/types/task.ts'
import { loadAttempts } from '../../src/evaluation/loadAttempts.ts'
import { FAULTS } from '../../src/evaluation/prove/faults.ts'
import { type Proof, type ProofVerdict, proveTask } from '../../src/evaluation/prove/prove.ts'
import { Server } from '../../src/server/server.ts'

const ANA = 'ana@studio.example.com'
const KOFI = 'kofi@studio.example.com'

const task: AgentTask = {
  name: 'A common hour',
  seed: {
    accounts: [{ email: ANA, timeZone: 'Europe/Berlin' }, { email: KOFI }],
    calendars: [
      {
        id: ANA,
        events: [
          { id: 'stroll1', summary: 'Walk', start: { date: '2030-06-05' }, end: { date: '2030-06-06' } },
          {
            id: 'meeting1',
            summary: 'Review',
            start: { dateTime: '2030-06-06T10:00:00+02:00' },
            end: { dateTime: '2030-06-06T11:00:00+02:00' },
            attendees: [{ email: ANA, responseStatus: 'accepted' }, { email: KOFI }],
          },
        ],
      },
      { id: 'team@group.calendar.google.com', owner: ANA, summary: 'Team' },
    ],
  },
  now: '2030-06-03T08:00:00Z',
  account: ANA,
  prompt: 'Find a common time for Kofi and me on 2030-06-06 between 9:00 and 17:00 for a one-hour event "Zoom".',
  goal: {
    do: [
      {
        create_event: {
          ...{
            summary: 'Zoom',
            startTime: '2030-06-06T12:00',
            endTime: '2030-06-06T13:00',
            attendees: [{ email: KOFI }],
          },
        },
      },
    ],
    free: { start: { between: ['2030-06-06T09:00', '2030-06-06T17:00'], lasts: '1h', clear: [ANA, KOFI] } },
    say: 'Done',
  },
}

async function prove(given: AgentTask, vary?: number): Promise<Proof> {
  const server = new Server({ seeds: [], auth: { mode: 'open' }, webhooks: 'loopback', loadAttempts })
  const attempts = await server.attempts()
  return proveTask(attempts, given, vary)
}

const named = ({ rows }: Proof, verdict: ProofVerdict): Record<string, string | undefined> =>
  Object.fromEntries(rows.filter((row) => row.verdict === verdict).map(({ name, by }) => [name, by]))

test('27 faults are planted', () => {
  expect(Object.keys(FAULTS)).toHaveLength(27)
})

test.each([undefined, 1])(
  'the grade of a task sees each planted fault, or names the word that frees it (vary: %s)',
  async (vary) => {
    const proof = await prove(task, vary)

    expect(named(proof, 'wrong')).toEqual({})
    expect(named(proof, 'unseen')).toEqual({})
    expect(named(proof, 'free')).toEqual({
      'an hour off': 'free: start',
      'no mail': 'mail, which is free for the people of the change',
      'mail twice': 'mail, which is free for the people of the change',
    })
    expect(Object.keys(named(proof, 'seen'))).toHaveLength(22)
    expect(proof.changes).toEqual(['added event "Zoom"'])
  },
)

test('with exact mails and an exact time, no fault is free', async () => {
  const { free: _, ...exact } = task.goal
  const proof = await prove({ ...task, goal: { ...exact, mail: 'as-done' } })

  expect({ ...named(proof, 'free'), ...named(proof, 'unseen') }).toEqual({})
  // The other door sends the same mails; a mended event sends the mail of its first state.
  expect(named(proof, 'wrong')).toEqual({})
})

test.each([
  [
    'summary',
    ['summary', 'description', 'location', 'colorId', 'visibility', 'guestsCanModify', 'attendees', 'recurrence'],
  ],
] as const)('a goal that frees too much is shown as free, not as seen: %s', async (_, free) => {
  const proof = await prove({ ...task, goal: { ...task.goal, free: [...free] } })

  expect(named(proof, 'free')).toMatchObject({
    ...{ text: 'free: description', place: 'free: location', colour: 'free: colorId', private: 'free: visibility' },
    ...{
      stranger: 'free: attendees',
      'guest left out': 'free: attendees',
      'guests may change it': 'free: guestsCanModify',
    },
  })
})

test('a careless reference is shown: a right solution does not pass', async () => {
  const proof = await prove({ ...task, goal: { ...task.goal, calls: {}, mail: 'none' } })

  expect(named(proof, 'wrong')).toMatchObject({ 'the reference': expect.stringMatching(/^mail eventCreation/) })
})
