import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ended, ROOT } from '../../support/command.ts'
import { namespaceProblem, runCommandWithoutNetwork, runWithoutNetwork } from '../../support/noRoute.ts'
import { lacks, type ProgramName, pathOf } from '../../support/programs.ts'

/**
 * Unmodified programs under `exec --intercept`. Each test verifies through Linux that they connect only to loopback
 * addresses.
 */
const folder = mkdtempSync(join(ROOT, 'test', '.readme-ways-'))
afterAll(() => rmSync(folder, { recursive: true }))

const writeFile = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
/** Proxy and certificate variables of the test's own environment, which programs must not use. */
const MISLEADING = {
  NO_PROXY: 'www.googleapis.com,oauth2.googleapis.com',
  no_proxy: '*',
  ALL_PROXY: 'http://127.0.0.1:1',
}
async function runIntercepted(command: readonly string[], options: readonly string[] = [], mayAsk = false) {
  const { beyond, ...ended } = await runCommandWithoutNetwork(
    ['exec', '--intercept', ...options, '--', ...command],
    MISLEADING,
  )
  if (!mayAsk) expect(beyond, `sent beyond loopback: ${ended.stderr}`).toBe(0)
  return ended
}

test.skipIf(namespaceProblem || lacks('curl')).each([
  ['a host name', 'https://www.googleapis.com/'],
  ['an IPv4 address', 'https://192.0.2.1/'],
  ['an IPv6 address', 'https://[2001:db8::1]/'],
])('a connection of a program to %s is detected', async (_, url) => {
  expect((await runWithoutNetwork(['curl', '-s', '--noproxy', '*', url])).beyond).toBeGreaterThan(0)
})

const COLORS = 'https://www.googleapis.com/calendar/v3/colors?key=any'
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const KEY = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))

const NODE: Record<string, string> = {
  'a service account with no option': `import { auth, calendar } from '@googleapis/calendar'
    const jwt = new auth.JWT({ email: 'robot@project.iam.gserviceaccount.com', key: ${JSON.stringify(KEY)},
      scopes: ['https://www.googleapis.com/auth/calendar'] })
    const { data } = await calendar({ version: 'v3', auth: jwt }).calendarList.list()
    console.log(data.kind)`,
  'the singleton of the official client': `import { auth, calendar } from '@googleapis/calendar'
    const credentials = new auth.OAuth2()
    credentials.setCredentials({ access_token: 'alice@example.com' })
    const { data } = await calendar('v3').events.list({ calendarId: 'primary', auth: credentials })
    console.log(data.kind)`,
  'global fetch': `console.log((await (await fetch('${COLORS}')).json()).kind)`,
  axios: `import axios from 'axios'
    console.log((await axios.get('${COLORS}')).data.kind)`,
  undici: `import { request } from 'undici'
    console.log((await (await request('${COLORS}')).body.json()).kind)`,
}

type Program = {
  /** The program that it needs; undefined for Node itself. */
  needs?: ProgramName
  command: string[]
  /** True if it resolves a host name before it uses a proxy, which no variable prevents. */
  asksForAddress?: boolean
}

const KIND = "['kind']"
const PYTHONS: Record<string, string> = {
  urllib: `import json, urllib.request
print(json.load(urllib.request.urlopen('${COLORS}'))${KIND})`,
  requests: `import requests
print(requests.get('${COLORS}').json()${KIND})`,
  httpx: `import httpx
print(httpx.get('${COLORS}').json()${KIND})`,
  'the official client': `from googleapiclient.discovery import build
from google.oauth2.credentials import Credentials
print(build('calendar', 'v3', credentials=Credentials('alice@example.com')).events().list(calendarId='primary').execute()${KIND})`,
  'a service account': `from googleapiclient.discovery import build
from google.oauth2 import service_account
credentials = service_account.Credentials.from_service_account_info({
  'client_email': 'robot@project.iam.gserviceaccount.com', 'token_uri': 'https://oauth2.googleapis.com/token',
  'private_key': ${JSON.stringify(KEY)}}, scopes=['https://www.googleapis.com/auth/calendar'])
print(build('calendar', 'v3', credentials=credentials).calendarList().list().execute()${KIND})`,
}
const MODULES: Record<string, ProgramName> = {
  urllib: 'python3',
  requests: 'python3 requests',
  httpx: 'python3 httpx',
}

const PROGRAMS: Record<string, Program> = {
  ...Object.fromEntries(
    Object.entries(NODE).map(([name, text]): [string, Program] => {
      const program = writeFile(`program_${name.replace(/\W/g, '_')}.mjs`, text)
      return [`Node: ${name}`, { command: [process.execPath, program] }]
    }),
  ),
  curl: { needs: 'curl', command: ['curl', '-sS', COLORS] },
  wget: { needs: 'wget', command: ['wget', '-qO-', COLORS] },
  ...Object.fromEntries(
    Object.entries(PYTHONS).map(([name, text]): [string, Program] => {
      const needs = MODULES[name] ?? 'python3 googleapiclient'
      const program = writeFile(`ask_${name.replace(/\W/g, '_')}.py`, text)
      return [`Python: ${name}`, { needs, command: [pathOf(needs), program] }]
    }),
  ),
  'Perl: HTTP::Tiny': {
    needs: 'perl HTTP::Tiny',
    command: [pathOf('perl HTTP::Tiny'), '-MHTTP::Tiny', '-e', `print HTTP::Tiny->new->get('${COLORS}')->{content}`],
  },
  'Perl: LWP': {
    needs: 'perl LWP',
    command: [
      pathOf('perl LWP'),
      '-MLWP::UserAgent',
      '-e',
      `print LWP::UserAgent->new->get('${COLORS}')->decoded_content`,
    ],
  },
  Ruby: {
    needs: 'ruby',
    asksForAddress: true,
    command: ['ruby', '-rnet/http', '-e', `puts Net::HTTP.get(URI('${COLORS}'))`],
  },
  'PHP: curl': {
    needs: 'php curl',
    command: [pathOf('php curl'), '-r', `curl_exec(curl_init('${COLORS}'));`],
  },
  Java: {
    needs: 'java',
    command: [
      pathOf('java'),
      writeFile(
        'Colors.java',
        `public class Colors { public static void main(String[] args) throws Exception {
          new java.net.URL("${COLORS}").openStream().transferTo(System.out); } }`,
      ),
    ],
  },
}

/** Runs each command of a file, and prints how it ended. */
const RUN_EACH = `
  const { spawnSync } = require('node:child_process')
  const commands = JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'))
  console.log(JSON.stringify(commands.map(([program, ...args]) => {
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 60000 })
    return { code: status, stdout, stderr }
  })))`

/** Runs programs one after the other under one `exec`, because its start takes longer than most of them. */
async function runTogether(programs: readonly Program[], mayAsk = false): Promise<[Program, Ended][]> {
  if (programs.length === 0) return []
  const commands = writeFile('commands.json', JSON.stringify(programs.map(({ command }) => command)))
  const { stdout, stderr } = await runIntercepted([process.execPath, '-e', RUN_EACH, commands], [], mayAsk)
  expect(stderr).toBe('')
  const ends = JSON.parse(stdout) as Ended[]
  return programs.map((program, at) => [program, ends[at] as Ended])
}

describe('an unmodified program reaches the fake with exec', () => {
  const present = Object.entries(PROGRAMS).map(([name, program]) => ({
    name,
    program,
    isAbsent: program.needs !== undefined && lacks(program.needs),
  }))
  let ends = new Map<Program, Ended>()
  beforeAll(async () => {
    const programs = present.flatMap(({ program, isAbsent }) => (isAbsent ? [] : [program]))
    const [consenting, silent] = [true, false].map((isPrompted) =>
      programs.filter(({ asksForAddress = false }) => asksForAddress === isPrompted),
    )
    ends = new Map([...(await runTogether(silent ?? [])), ...(await runTogether(consenting ?? [], true))])
  }, 300_000)

  for (const { name, program, isAbsent } of present) {
    test.skipIf(isAbsent)(name, () => {
      const { code, stdout, stderr } = ends.get(program) ?? expect.unreachable()

      expect({ code, stdout, stderr: stderr.replace(/^Picked up JAVA_TOOL_OPTIONS.*\n/, '') }).toEqual({
        code: 0,
        stdout: expect.stringContaining('calendar#'),
        stderr: '',
      })
    })
  }
})

/** The credentials that gcalcli stores after sign-in. */
const SIGNED_IN = {
  ...{ _module: 'oauth2client.client', _class: 'OAuth2Credentials', invalid: false, user_agent: 'gcalcli/v4.3.0' },
  ...{ client_id: 'gcalcli', client_secret: 'none', refresh_token: 'again', access_token: 'alice@example.com' },
  ...{ token_uri: 'https://oauth2.googleapis.com/token', revoke_uri: 'https://oauth2.googleapis.com/revoke' },
  ...{ token_expiry: '2100-01-01T00:00:00Z', scopes: ['https://www.googleapis.com/auth/calendar'] },
  ...{ id_token: null, token_response: {}, token_info_uri: 'https://oauth2.googleapis.com/tokeninfo' },
}

test.skipIf(lacks('gcalcli'))('gcalcli of Debian adds an event and shows it', async () => {
  writeFile('oauth', JSON.stringify(SIGNED_IN))
  const gcalcli = `gcalcli --config-folder '${folder}' --nocache`
  const lines = `${gcalcli} --calendar alice@example.com quick 'Lunch on 2026-03-02 at noon' && ${gcalcli} --nocolor agenda 2026-03-01 2026-03-04`
  const { code, stdout, stderr } = await runIntercepted(['sh', '-c', lines], ['--now', '2026-03-01T12:00:00Z'])

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Lunch')
})

const UNATTENDED = `gcalcli --client-id id --client-secret secret --config-folder "$CONFIG" --nocache --nocolor list`

test.skipIf(lacks('gcalcli')).each([
  ['the first account', []],
  ['the account of --as', ['--as', 'bob@example.com']],
  ['an account on a consent page', ['--consent', '--as', 'bob@example.com']],
])('gcalcli of Debian signs in unattended: %s', async (_, options) => {
  const config = mkdtempSync(join(folder, 'gcalcli-'))
  const people = writeFile(
    'people.json',
    JSON.stringify({ accounts: [{ email: 'ann@example.com' }, { email: 'bob@example.com' }] }),
  )
  const command = ['sh', '-c', `CONFIG='${config}'; ${UNATTENDED}`]
  const { code, stdout } = await runIntercepted(command, ['--seed', people, ...options])

  expect(code).toBe(0)
  expect(stdout).toContain('Authentication successful.')
  expect(stdout).toMatch(options.length > 0 ? /owner +bob@example\.com/ : /owner +ann@example\.com/)
})

test.skipIf(lacks('curl'))('a request to another host is rejected, and the host is named', async () => {
  const curl = await runIntercepted(['curl', '-sS', 'https://example.com/', 'http://example.org/'])
  const program = `import { get } from 'https'
    await fetch('https://storage.googleapis.com/x').catch(({ message }) => console.log(message))
    get('https://example.com/').on('error', ({ message }) => console.log(message))`
  const node = await runIntercepted([process.execPath, writeFile('elsewhere.mjs', program)])

  expect(curl.stderr).toContain('fake-calendar: example.com is not called (--allow example.com lets it through)\n')
  expect(curl.stderr).toContain('fake-calendar: example.org is not called')
  expect(node.stdout).toContain('fake-calendar: storage.googleapis.com is not called')
  // This version of Node connects to the proxy directly and shows its reply.
  expect(node.stdout).toMatch(/fake-calendar: example\.com is not called|tunnel to example\.com:443 .* 502 /)
  expect(node.stderr.trim().split('\n').sort()).toEqual([
    'fake-calendar: example.com is not called (--allow example.com lets it through)',
    'fake-calendar: storage.googleapis.com is not called (--allow storage.googleapis.com lets it through)',
  ])
})
