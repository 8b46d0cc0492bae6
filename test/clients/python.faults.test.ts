import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ALICE, openCalendar } from '../support/calendar.ts'
import { lacks, pathOf } from '../support/programs.ts'

const run = promisify(execFile)

test.skipIf(lacks('python3 googleapiclient'))(
  'the Python client handles faults over a socket with its own retries and timeout',
  async () => {
    const { fake } = openCalendar()
    const { url } = await fake.listen()
    try {
      const { stdout } = await run(pathOf('python3 googleapiclient'), ['test/clients/faults.py', url, ALICE], {
        timeout: 25_000,
      })

      const answered = ['answered', { items: [] }]
      const two = ['answered', { items: [{ id: 'void00' }, { id: 'lost00' }] }]
      expect(JSON.parse(stdout)).toEqual({
        unavailable: { came: answered, fired: 2, there: false },
        limited: { came: ['HttpError', 429, '3'], fired: 1, there: false },
        limitedthenfree: { came: answered, fired: 1, there: false },
        reset0: { came: ['ConnectionResetError'], fired: 1, there: false },
        // This client does not retry after a reset connection.
        resetread: { came: ['ConnectionResetError'], fired: 1, there: false },
        cutoff: { came: ['IncompleteRead'], fired: 1, there: false },
        hanging: { came: ['TimeoutError'], fired: 1, there: false },
        void00: { came: ['JSONDecodeError'], fired: 1, there: true },
        lost00: { came: ['ConnectionResetError'], fired: 1, there: true },
        late00: { came: ['TimeoutError'], fired: 1, there: false },
        halting: { came: ['TimeoutError'], fired: 1, there: false },
        slowly: { came: two, fired: 1, there: false },
        teapot: { came: ['HttpError', 418, '7'], fired: 1, there: false },
        nopage: { came: answered, fired: 1, there: false },
        stale0: { came: answered, fired: 1, there: false },
        plain0: { came: two, fired: 1, there: false },
      })
    } finally {
      await fake.close()
    }
  },
)
