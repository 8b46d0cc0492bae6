import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { fakeCalendar } from '../../support/command.ts'
import { installEnvironment } from '../../support/environment.ts'

const environment = await installEnvironment('test/samples/agents')

type Message = { role: string; content: unknown }

/** A stub of a model with the API of OpenAI: it first calls a tool, and then answers with what the tool returned. */
async function startModel(tool: string, given: object) {
  const requests: { messages: Message[]; tools: { function: { name: string } }[] }[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request))
    requests.push(body)
    const call = { id: 'call-1', type: 'function', function: { name: tool, arguments: JSON.stringify(given) } }
    const last: Message = body.messages.at(-1)
    const message =
      last.role === 'tool'
        ? { role: 'assistant', content: `Done: ${JSON.stringify(last.content)}` }
        : { role: 'assistant', content: null, tool_calls: [call] }
    const choice = { index: 0, message, finish_reason: last.role === 'tool' ? 'stop' : 'tool_calls' }
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ id: '1', created: 1, model: 'stub', choices: [choice] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests }
}

test.skipIf(!environment)(
  'the loop with a model calls the tools that the model chooses, and returns its answer',
  async () => {
    const folder = mkdtempSync(join(environment ?? '', 'model-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    for (const file of ['model.js', 'command.js']) cpSync(join('test/samples/agents', file), join(folder, file))
    const model = await startModel('create_event', {
      ...{ summary: 'Lunch', startTime: '2030-03-08T12:30:00', endTime: '2030-03-08T13:30:00' },
      attendeeEmails: ['owen@lumen.example.com'],
    })
    const env = { MODEL_URL: model.url, MODEL_NAME: 'stub', MODEL_KEY: 'none' }
    const args = ['test/samples/agents/tasks/01-book-a-lunch.yaml', '--agent', `node ${join(folder, 'model.js')}`]
    const { code, stdout, stderr } = await fakeCalendar(['eval', ...args], env)

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Book a lunch +1 +1 of 1 /m)
    const [first] = model.requests
    expect(first?.messages.at(-1)?.content).toBe('Book lunch with Owen on Friday at 12:30, for an hour.')
    expect(first?.tools.map(({ function: { name } }) => name)).toContain('suggest_time')
  },
)
