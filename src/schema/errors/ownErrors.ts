import type { ApiErrorRow } from './row.ts'

/** Errors of the fake itself, which the service does not have. */
export const OWN_ERRORS = {
  foreignHost: {
    code: 403,
    reason: 'forbidden',
    message: 'Only a loopback host may control fake-calendar, not {host}.',
  },
  foreignPeer: {
    code: 403,
    reason: 'forbidden',
    message:
      'Another machine, {peer}, may control fake-calendar only with a control token. Start it with --control-token.',
  },
  foreignOrigin: {
    code: 403,
    reason: 'forbidden',
    message: 'A page of another origin may not control fake-calendar.',
  },
  notJson: { code: 415, reason: 'unsupportedMediaType', message: 'Content-Type must be application/json.' },
  wrongControlToken: {
    code: 401,
    reason: 'authError',
    message: 'The header X-Fake-Control-Token must carry the control token.',
  },
  unknownControlRoute: {
    code: 404,
    reason: 'notFound',
    message: 'There is no control route {target}. The nearest is {nearest}; GET /_control lists them.',
  },
  unknownWorld: {
    code: 404,
    reason: 'notFound',
    message: 'There is no world {world}: this server was started for {worlds} alone.',
  },
  badWorldName: {
    code: 404,
    reason: 'notFound',
    message:
      'The name of a world is 1 to 64 letters, digits, dots, dashes or underscores, and not only one or two dots: {world} cannot be one.',
  },
  unknownToTheService: {
    code: 400,
    reason: 'invalidParameter',
    message: '{what}. {instead} (fake-calendar, strict surface)',
  },
  badControlRequest: { code: 400, reason: 'invalid', message: '{problem}' },
  notVerified: { code: 417, reason: 'expectationFailed', message: '{problem}' },
  waitedInVain: { code: 504, reason: 'deadlineExceeded', message: '{problem}' },
} as const satisfies Record<string, ApiErrorRow>
