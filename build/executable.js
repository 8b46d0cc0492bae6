/**
 * `npm run executable`: writes `dist-executable/fake-calendar`, one file for machines without Node.js. It contains the Node.js
 * that runs this script and the files of the package, so it is written on each platform for itself.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const folder = process.argv[2] ?? 'dist-executable'
mkdirSync(folder, { recursive: true })
const inFolder = (name) => join(folder, name)
/** Runs a program of a package from the registry of npm, with the output of this process. Throws if its exit code is not 0. */
const npx = (...args) =>
  execFileSync('npx', ['--yes', ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })

const [{ files }] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' }),
)
const contents = Object.fromEntries(files.map(({ path }) => [path, readFileSync(path).toString('base64')]))
const packed = gzipSync(JSON.stringify(contents))
writeFileSync(inFolder('files.gz'), packed)
writeFileSync(
  inFolder('version.json'),
  JSON.stringify({ digest: createHash('sha256').update(packed).digest('hex').slice(0, 16) }),
)
const configuration = {
  main: 'build/executableMain.cjs',
  output: inFolder('blob'),
  disableExperimentalSEAWarning: true,
  assets: { files: inFolder('files.gz'), version: inFolder('version.json') },
}
writeFileSync(inFolder('sea.json'), JSON.stringify(configuration))
execFileSync(process.execPath, ['--experimental-sea-config', inFolder('sea.json')], { stdio: 'inherit' })

const executable = inFolder(process.platform === 'win32' ? 'fake-calendar.exe' : 'fake-calendar')
copyFileSync(process.execPath, executable)
if (process.platform === 'darwin') execFileSync('codesign', ['--remove-signature', executable])
const macOS = process.platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : []
npx(
  'postject',
  executable,
  'NODE_SEA_BLOB',
  inFolder('blob'),
  '--sentinel-fuse',
  'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
  ...macOS,
)
if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', executable])
