import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { reportNotTried } from './notTried.ts'

type Program = {
  /** Its names, the preferred one first. */
  commands: readonly string[]
  /** Arguments with which it ends with exit code 0 if tests can use it. */
  probe: readonly string[]
  /** The Debian packages that contain it. */
  packages: string
}

const python = (packages: string, modules: string): Program => ({
  commands: ['python3'],
  probe: ['-c', `import ${modules}`],
  packages,
})
const perl = (packages: string, module: string): Program => ({
  commands: ['perl'],
  probe: [`-M${module}`, '-e', '1'],
  packages,
})

/** The programs that tests need and that npm does not install. `.ci/run` installs all of them. */
const PROGRAMS = {
  bash: { commands: ['bash'], probe: ['-c', 'true'], packages: 'bash' },
  // Chromium without windows takes less processor time for the same pages.
  chromium: {
    commands: ['chromium-headless-shell', 'chromium'],
    probe: ['--version'],
    packages: 'chromium-headless-shell',
  },
  curl: { commands: ['curl'], probe: ['--version'], packages: 'curl' },
  gcalcli: { commands: ['gcalcli'], probe: ['--version'], packages: 'gcalcli' },
  go: {
    commands: ['sh'],
    probe: [
      '-c',
      'go version && ls -d /usr/share/gocode/src/google.golang.org/api "$GOPATH"/src/google.golang.org/api 2>&1 | grep -v :',
    ],
    packages: 'golang-go golang-google-api-dev',
  },
  grep: { commands: ['grep'], probe: ['--version'], packages: 'grep' },
  ip: { commands: ['ip'], probe: ['-V'], packages: 'iproute2' },
  java: {
    commands: ['java'],
    probe: ['-m', 'jdk.compiler/com.sun.tools.javac.Main', '-version'],
    packages: 'default-jdk-headless',
  },
  'java junit': {
    commands: ['java'],
    probe: ['-cp', '/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar', 'org.junit.runner.JUnitCore'],
    packages: 'junit4',
  },
  nginx: { commands: ['nginx'], probe: ['-v'], packages: 'nginx-light' },
  'perl HTTP::Tiny': perl('libio-socket-ssl-perl', 'IO::Socket::SSL'),
  'perl LWP': perl('libwww-perl liblwp-protocol-https-perl', 'LWP::Protocol::https'),
  php: { commands: ['php'], probe: ['--version'], packages: 'php-cli' },
  phpunit: { commands: ['phpunit'], probe: ['--version'], packages: 'phpunit' },
  'php curl': { commands: ['php'], probe: ['-r', 'exit(function_exists("curl_init") ? 0 : 1);'], packages: 'php-curl' },
  python3: python('python3', 'ssl, urllib.request'),
  'python3 googleapiclient': python(
    'python3-googleapi',
    'googleapiclient, google_auth_httplib2, google.oauth2.credentials',
  ),
  'python3 google_auth_oauthlib': python('python3-google-auth-oauthlib', 'google_auth_oauthlib'),
  'python3 httplib2': python('python3-httplib2', 'httplib2'),
  'python3 httpx': python('python3-httpx', 'httpx'),
  'python3 mypy': python('python3-mypy python3-pytest', 'mypy, pytest'),
  'python3 pip': python('python3-pip', 'setuptools, wheel, pip'),
  'python3 pytest': python('python3-pytest python3-googleapi', 'pytest, googleapiclient, rsa'),
  'python3 pytest-xdist': python('python3-pytest-xdist python3-googleapi', 'xdist, googleapiclient, rsa'),
  'python3 requests': python('python3-requests', 'requests'),
  rspec: {
    commands: ['rspec'],
    probe: ['-rgoogle/apis/calendar_v3', '--version'],
    packages: 'ruby-rspec ruby-google-api-client',
  },
  ruby: { commands: ['ruby'], probe: ['-ropenssl', '-e', '1'], packages: 'ruby' },
  'ruby google-api-client': {
    commands: ['ruby'],
    probe: ['-rgoogle/apis/calendar_v3', '-e', '1'],
    packages: 'ruby-google-api-client',
  },
  setpriv: { commands: ['setpriv'], probe: ['--version'], packages: 'util-linux' },
  unshare: { commands: ['unshare'], probe: ['--version'], packages: 'util-linux' },
  wget: { commands: ['wget'], probe: ['--version'], packages: 'wget' },
} satisfies Record<string, Program>

export type ProgramName = keyof typeof PROGRAMS

const found = new Map<ProgramName, string | undefined>()

/** Returns the first file in PATH that runs with the arguments of the program's probe. */
function findProgram(name: ProgramName): string | undefined {
  if (!found.has(name)) {
    const { commands, probe }: Program = PROGRAMS[name]
    const folders = (process.env.PATH ?? '').split(delimiter)
    const files = commands.flatMap((command) => folders.map((folder) => join(folder, command)))
    found.set(
      name,
      files.find((file) => isExecutable(file) && spawnSync(file, probe, { timeout: 20_000 }).status === 0),
    )
  }
  return found.get(name)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Returns the path of a program; its name if it is missing. */
export const pathOf = (name: ProgramName): string => findProgram(name) ?? name

/**
 * Returns true if one of the programs is missing, for `test.skipIf`. The run then names it at its end. Throws if the
 * environment has `REQUIRE_PROGRAMS=1`.
 */
export function lacks(...names: ProgramName[]): boolean {
  const missing = names.filter((name) => findProgram(name) === undefined)
  for (const name of missing) {
    if (process.env.REQUIRE_PROGRAMS === '1')
      throw new Error(`${name} is missing: apt-get install ${PROGRAMS[name].packages}`)
    reportNotTried({ name, packages: PROGRAMS[name].packages })
  }
  return missing.length > 0
}
