import { loadAttempts } from './evaluation/loadAttempts.ts'
import { composeFakeCalendar } from './server/createFakeCalendar.ts'

export type { FaultEffect } from './control/faults/effects.ts'
export type { Fault, FaultHandle, FaultView } from './control/faults/faults.ts'
export type { Diff } from './control/history/diff.ts'
export type { ExpectedChange } from './control/history/verify.ts'
export type { Hint, RecordedCall } from './control/journal/recordedCall.ts'
export type { ExpectedCall, RecordedCalls } from './control/journal/search.ts'
export type { ExpectedCount } from './control/matching.ts'
export { VerificationError } from './control/matching.ts'
export type { QuotaLimits, QuotaState } from './control/quota.ts'
export type { MethodPattern } from './control/request.ts'
export type {
  Agent,
  AgentAttempt,
  AgentWork,
  AttemptOptions,
  AttemptResult,
  AttemptSummary,
  Evidence,
  EvidenceCall,
  FakeAttempts,
  OpenedAttempt,
} from './control/types/attempts.ts'
export type { ExpectedMail, FakeMail, FakeNotifications, WaitOptions } from './control/types/messages.ts'
export type { FakeCalendarOptions } from './control/types/options.ts'
export type {
  AgentTask,
  Attack,
  ExpectedAnswer,
  FreeFields,
  FreeTime,
  Reference,
  ReferenceStep,
  TaskGoal,
  Variables,
} from './control/types/task.ts'
export type {
  CallSelector,
  Change,
  ChangesQuery,
  Control,
  DiffOptions,
  FakeCalls,
  FakeClock,
  FakeConferences,
  FakeFaults,
  FakeHistory,
  FakeOAuth,
  FakeQuota,
  FakeSyncTokens,
  FakeWorld,
  FakeWorlds,
  HistoricChange,
  History,
  Instant,
  MintOptions,
  Moment,
  OAuthState,
  PageOptions,
  SyncTokenChoice,
  WorldNames,
} from './control/types/world.ts'
export type { Finding, WorldResult } from './control/worldResult.ts'
export type { Snapshot } from './control/worlds/snapshots.ts'
export type { Settled } from './effects/conferences.ts'
export type { Attempt, ResourceState } from './effects/push/messages.ts'
export type {
  ChannelState,
  ChannelView,
  MessageFilter,
  NextMessages,
  Notification,
  Progress,
  Receiver,
} from './effects/push/notifications.ts'
export type { Resource } from './model/channel.ts'
export type { ClockMode, ClockState, Fired } from './model/clock.ts'
export type { ConferenceOutcome } from './model/conferencePolicy.ts'
export type { Grant } from './model/credentials.ts'
export type {
  ConferenceMode,
  ConferencePolicy,
  ConferenceRule,
  ConferenceSettlement,
  ConferenceState,
  PendingConference,
} from './schema/conferencePolicy.ts'
export type { FaultName } from './schema/faultNames.ts'
export type { Mail, MailKind } from './schema/mail.ts'
export type { OAuthFailure, OAuthSeed } from './schema/oauth.ts'
export type { SeedCounts } from './seeds/applySeed.ts'
export type { FixtureName } from './seeds/fixtures.ts'
export type { Seed } from './seeds/schema/seed.ts'
export { SeedError } from './seeds/seedError.ts'
export {
  playStory,
  type Story,
  type StoryName,
  type StoryOptions,
  type StoryStep,
  type StoryTarget,
} from './seeds/story.ts'
export type { FakeCalendar } from './server/createFakeCalendar.ts'
export type { Address } from './server/server.ts'

/**
 * Creates a fake in memory. It opens no socket before `listen`. Throws a SeedError for an invalid seed, and a TypeError
 * for an unknown option.
 */
export const createFakeCalendar = composeFakeCalendar(loadAttempts)
