export type { ExpectedMail } from '../control/types/messages.ts'
export {
  assertChanged,
  assertEvent,
  assertReceived,
  assertSent,
  type ReceivedFilter,
} from './assertions.ts'
export { addHints, formatCallReport } from './callReport.ts'
export { matchers, type WorldMatchers } from './matchers.ts'
export type { OfficialClient } from './officialClient.ts'
export { requireVersion } from './requireVersion.ts'
export {
  openTestWorld,
  runInTestWorld,
  type TestContext,
  type TestWorld,
  type WorldFixtures,
  type WorldOptions,
} from './testWorld.ts'
