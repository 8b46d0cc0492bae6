import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { COMMAND, ROOT } from './command.ts'

export const PLUGIN = join(ROOT, 'clients', 'python')

/**
 * Installs the plugin of pytest, without pip, into a folder: writes its entry point there. Returns the environment in which pytest
 * uses the plugin and the server of this repository.
 */
export function installPlugin(folder: string): Record<string, string | undefined> {
  const project = readFileSync(join(PLUGIN, 'pyproject.toml'), 'utf8')
  const findValue = (name: string) => new RegExp(`^${name} = "(.+)"$`, 'm').exec(project)?.[1] ?? ''
  const [, entry = ''] = /\[project\.entry-points\.pytest11\]\n(.+)/.exec(project) ?? []
  const info = join(folder, `fake_calendar-${findValue('version')}.dist-info`)
  mkdirSync(info, { recursive: true })
  writeFileSync(
    join(info, 'METADATA'),
    `Metadata-Version: 2.1\nName: ${findValue('name')}\nVersion: ${findValue('version')}\n`,
  )
  writeFileSync(join(info, 'entry_points.txt'), `[pytest11]\n${entry.replaceAll('"', '')}\n`)
  return {
    PYTHONPATH: [folder, join(PLUGIN, 'src')].join(delimiter),
    PYTHONDONTWRITEBYTECODE: '1',
    FAKE_CALENDAR_COMMAND: `${process.execPath} ${COMMAND}`,
    FAKE_CALENDAR_URL: undefined,
  }
}
