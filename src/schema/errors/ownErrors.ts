import type { ApiErrorRow } from './row.ts'

/** Errors that the service does not have and faults cannot inject. Their messages state the problem and a remedy. */
export const OWN_ERRORS = {
  foreignHost: {
    code: 403,
    reason: 'forbidden',
    message:
      'The host {host} may not control fake-calendar. Use a loopback host such as 127.0.0.1, or allow it with --control-host.',
  },
  foreignPeer: {
    code: 403,
    reason: 'forbidden',
    message:
      'The address {peer} is of another machine, which may control fake-calendar only with a control token. Start the server with --control-token.',
  },
  foreignOrigin: {
    code: 403,
    reason: 'forbidden',
    message:
      'A page of another origin may not control fake-calendar. Send the request from a program or from the inspector.',
  },
  notJson: { code: 415, reason: 'unsupportedMediaType', message: 'The header Content-Type must be application/json.' },
  wrongControlToken: {
    code: 401,
    reason: 'authError',
    message: 'The header X-Fake-Control-Token must carry the control token.',
  },
  attemptIsOpen: {
    code: 403,
    reason: 'forbidden',
    message:
      'An agent works on an attempt, which must not reach /_control. Grade the attempt with its last answer first, or start the server with --control-token.',
  },
  unknownControlRoute: {
    code: 404,
    reason: 'notFound',
    message: 'There is no control route {target}. The nearest is {nearest}; GET /_control lists them.',
  },
  unknownWorld: {
    code: 404,
    reason: 'notFound',
    message: 'There is no world {world}. This server was started only for {worlds}; use one of these names.',
  },
  badWorldName: {
    code: 404,
    reason: 'notFound',
    message:
      'The name of a world is 1 to 64 letters, digits, dots, dashes or underscores, and neither . nor .. alone. Choose another name than {world}.',
  },
  /** Thrown with `strictSurface`. `{what}` and `{instead}` are of the hint. */
  unknownInput: {
    code: 400,
    reason: 'invalidParameter',
    message: '{what}. {instead} (fake-calendar, strict surface)',
  },
  /** `{problem}` is a phrase. */
  invalidInput: { code: 400, reason: 'invalid', message: 'Invalid value for: {field}: {problem}' },
  invalidSeed: { code: 400, reason: 'invalidSeed', message: '{problem}' },
  verificationFailed: { code: 417, reason: 'expectationFailed', message: '{problem}' },
  /** A control request waited for a call, change or message that did not come. */
  waitTimedOut: { code: 504, reason: 'deadlineExceeded', message: '{problem}' },
} as const satisfies Record<string, ApiErrorRow>
