import { expect, test } from 'vitest'
import { type Message, MessageLog } from '../../../src/effects/push/messages.ts'
import type { Channel } from '../../../src/model/channel.ts'

const message = (id: number): Message => ({
  id,
  channel: {} as Channel,
  number: id,
  state: 'exists',
  resourceUri: '',
  made: 0,
  progress: 'waiting',
  attempts: [],
})

test.each([[0], [1], [3], [4], [5], [6], [7], [100]])('a log of %i messages keeps the last three', (count) => {
  const log = new MessageLog(3)
  for (let id = 1; id <= count; id++) log.add(message(id))

  const remembered = log.all().map(({ id }) => id)

  expect(remembered).toEqual([count - 2, count - 1, count].filter((id) => id > 0))
  for (const id of remembered) expect(log.get(id)?.number).toBe(id)
  expect(log.get(count - 3)).toBe(undefined)
})
