import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { toServerOptions } from '../../src/cli/serverOptions.ts'

/** The examples of the guide about scaling: containers of the processes that the nginx configuration names. */
const read = (name: string) => readFileSync(join('docs/guides/scaling', name), 'utf8')
const NGINX = read('nginx.conf')
const PORTS = [...NGINX.matchAll(/^ *server 127\.0\.0\.1:(\d+) /gm)].map(([, port]) => Number(port))

type Container = {
  name: string
  args?: string[]
  env?: { name: string; valueFrom: { secretKeyRef: { name: string } } }[]
  command?: string[]
  ports?: { name: string }[]
  volumeMounts?: { name: string }[]
}
type Deployment = {
  spec: {
    selector: { matchLabels: object }
    template: { metadata: { labels: object }; spec: { containers: Container[]; volumes: { name: string }[] } }
  }
}
type Service = { metadata: { name: string }; spec: { selector: object; ports: { port: number; targetPort: string }[] } }
type Compose = {
  services: Record<string, { command: string[]; network_mode?: string; healthcheck?: { test: string[] } }>
}

const [deployment, service] = parseAllDocuments(read('kubernetes.yaml')).map((document) => {
  expect(document.errors).toEqual([])
  return document.toJS() as unknown
}) as [Deployment, Service]
const { services } = parse(read('compose.yaml'), { merge: true }) as Compose

/** Returns the address and port on which the command would listen with such arguments. */
function listenAt(args: string[], env: NodeJS.ProcessEnv = {}) {
  const values: Record<string, unknown> = {}
  for (let at = 0; at < args.length; at += 2) {
    const name = (args[at] ?? '').replace(/^--/, '')
    values[name] = name === 'control-host' ? [args[at + 1]] : args[at + 1]
  }
  const { host, port } = toServerOptions(values as Parameters<typeof toServerOptions>[0], env)
  return { host, port }
}

test('the containers of both examples listen at the addresses of nginx.conf', () => {
  const processes = Object.entries(services).filter(([name]) => name !== 'nginx')
  const { containers } = deployment.spec.template.spec
  const token = { FAKE_CALENDAR_CONTROL_TOKEN: 'secret' }
  const local = PORTS.map((port) => ({ host: undefined, port }))

  expect(processes.map(([, { command }]) => listenAt(command))).toEqual(local)
  expect(processes.map(([, { network_mode: network }]) => network)).toEqual(PORTS.map(() => 'service:nginx'))
  expect(processes.map(([, { healthcheck }]) => healthcheck?.test.join().match(/127\.0\.0\.1:(\d+)/)?.[1])).toEqual(
    PORTS.map(String),
  )
  expect(containers.filter(({ args }) => args).map(({ args = [] }) => listenAt(args, token))).toEqual(local)
})

test('nginx listens for other containers after the replacement that both examples make', () => {
  const { containers } = deployment.spec.template.spec
  const commands = [services.nginx?.command, containers.find(({ name }) => name === 'nginx')?.command]

  for (const command of commands) {
    const [, from = '', to = ''] = /sed 's\/(.*?)\/(.*?)\/'/.exec(command?.at(-1) ?? '') ?? []
    expect(NGINX.replace(from, to)).toContain(`\n    ${to};\n`)
    expect(to).toBe('listen 8787')
  }
})

test('the names of the manifest refer to each other', () => {
  const { selector, template } = deployment.spec
  const { containers, volumes } = template.spec
  const ports = containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name))

  expect(selector.matchLabels).toEqual(template.metadata.labels)
  expect(service.spec.selector).toEqual(template.metadata.labels)
  expect(service.spec.ports).toEqual([expect.objectContaining({ port: 8787, targetPort: ports[0] })])
  expect(containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name))).toEqual(
    volumes.map(({ name }) => name),
  )
  for (const { args = [], env = [] } of containers.filter(({ args }) => args)) {
    expect(args).toContain(service.metadata.name)
    expect(env.map(({ name }) => name)).toEqual(['FAKE_CALENDAR_CONTROL_TOKEN'])
  }
})
