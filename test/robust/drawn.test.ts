import { expect, test } from 'vitest'
import { OPERATIONS, RAW_ROUTES } from '../../src/control/operations/index.ts'
import { OAUTH_PATHS } from '../../src/schema/oauthPaths.ts'
import { Chance } from './chance.ts'
import { Memory } from './memory.ts'
import { drawRequest, METHODS, SHAPES } from './requests.ts'

/** Returns a pattern of the requests to a route: a parameter is one segment, which may be empty. */
const patternOf = (verb: string, path: string) =>
  new RegExp(`^${verb} /?${path.replace(/[.$]/g, '\\$&').replace(/\{\w+\}/g, '[^/]*')}$`)

const ROUTES = [
  ...METHODS.map(({ httpMethod, path }) => patternOf(httpMethod, path)),
  ...[...OPERATIONS, ...RAW_ROUTES].map(({ verb, path }) => patternOf(verb, path)),
  ...Object.values(OAUTH_PATHS)
    .flat()
    .map((path) => patternOf('(?:GET|POST)', path)),
  ...['/discovery/v1/apis', '/discovery/v1/apis/calendar/v3/rest', '/$discovery/rest'].map((path) =>
    patternOf('GET', path),
  ),
  patternOf('POST', '/batch'),
]

test('the fuzzer draws every method of the service and every route of the controls', () => {
  const chance = new Chance(1)
  const memory = new Memory()
  const drawn = new Set<string>()
  for (let count = 0; count < 10_000; count++) {
    const { method, path } = drawRequest({ chance, memory, shapes: SHAPES, invalidShare: 0.1 })
    drawn.add(`${method} ${path.replace(/\?.*/s, '').replace(/^(?:\/w\/default)?(?:\/calendar)?\/v3(?=\/)/, '')}`)
  }
  const requests = [...drawn]
  const missing = ROUTES.filter((route) => !requests.some((request) => route.test(request)))

  expect(missing.map(String)).toEqual([])
})
