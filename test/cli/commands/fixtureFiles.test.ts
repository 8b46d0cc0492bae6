import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openServer, runCommand } from '../../support/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-fixtures-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SEEDS = readdirSync('fixtures').filter((name) => name.endsWith('.yaml') && !name.endsWith('.story.yaml'))

test('each file of fixtures passes seed check and seed format --check', async () => {
  const files = SEEDS.map((name) => join('fixtures', name))

  expect(SEEDS.toSorted()).toEqual(['clinic.yaml', 'company.yaml', 'default.yaml', 'school.yaml', 'team.yaml'])
  expect(await runCommand(['seed', 'check', ...files])).toMatchObject({ code: 0, stderr: '' })
  expect(await runCommand(['seed', 'format', '--check', ...files])).toMatchObject({ code: 0, stderr: '' })
})

test('a copy of a fixture with one changed title is a seed', async () => {
  const copy = join(folder, 'mine.yaml')
  const text = readFileSync('fixtures/team.yaml', 'utf8')
  writeFileSync(copy, text.replace('summary: Planning\n', 'summary: Harbour planning\n'))

  expect(await runCommand(['seed', 'check', copy])).toMatchObject({ code: 0, stderr: '' })
  const { rootUrl } = await openServer(['--seed', copy, '--now', '2026-06-10T12:00:00Z'])
  const headers = { Authorization: 'Bearer alice@example.com' }
  const path = 'calendar/v3/calendars/primary/events?q=planning&timeMin=2026-06-08T00:00:00Z&singleEvents=true'
  const { items } = await (await fetch(new URL(path, rootUrl), { headers })).json()
  expect(items[0]).toMatchObject({ summary: 'Harbour planning', start: { dateTime: '2026-06-08T10:00:00-04:00' } })
})
