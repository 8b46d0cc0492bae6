import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The tests that look into `src`, and neither at the package nor at the command nor at the house itself. */
const ALL = [
  'test/{api,calendars,conferences,control,events,fields,life,meetings,oauth,push,reading,recurrence,store,wire}/**/*.test.ts',
  'test/http/*.test.ts',
]

/**
 * The tests that are about a room, by which its mutants are tried: the others take minutes, and for each mutant again. What
 * they would notice beside these is not counted, so that a score is the least that it can be.
 */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  recurrence: [
    'test/recurrence/**',
    'test/reading/work.test.ts',
    'test/api/events.get.test.ts',
    'test/{store,control}/clock.test.ts',
    'test/events/{recurrence,series,span}.test.ts',
    'test/api/events.instances.test.ts',
  ],
  store: [
    'test/db/**',
    'test/reading/**',
    'test/{history,meetings}/{changes,following,series}.test.ts',
    'test/control/{clock,snapshots,state,syncTokens}.test.ts',
    'test/api/{acl,calendarList,settings}.list.test.ts',
    'test/api/events.{get,list,watch}.test.ts',
  ],
  events: [
    'test/events/**',
    'test/fields/**',
    'test/meetings/**',
    'test/control/reminders.test.ts',
    'test/api/events.*.test.ts',
    'test/api/{calendarList.patch,colors.get,freebusy.query}.test.ts',
  ],
  reading: [
    'test/reading/**',
    'test/events/**',
    'test/calendars/**',
    'test/fields/{event,parameters,people}.test.ts',
    'test/meetings/sharing.test.ts',
    'test/api/{events.get,events.import,events.instances,events.list,freebusy.query}.test.ts',
  ],
  meetings: [
    'test/meetings/**',
    'test/conferences/**',
    'test/control/{conferences,mail,reminders}.test.ts',
    'test/api/events.*.test.ts',
  ],
  calendars: [
    'test/calendars/**',
    'test/fields/{calendars,labels}.test.ts',
    'test/meetings/{reminders,rooms,sharing}.test.ts',
    'test/control/{mail,reminders,seed}.test.ts',
    'test/http/{credentials,scopes}.test.ts',
    'test/api/{acl,calendarList,calendars,settings}.*.test.ts',
  ],
  world: [
    'test/calendars/**',
    'test/meetings/**',
    'test/events/series.test.ts',
    'test/control/{mail,reminders,seed,state,tokens,tornState}.test.ts',
    'test/http/{credentials,scopes}.test.ts',
    'test/life/{anchor,idle,parts,worlds}.test.ts',
    'test/oauth/**',
    'test/api/{acl,calendarList,calendars,channels,settings}.*.test.ts',
    'test/api/events.{delete,get,import,move,watch}.test.ts',
  ],
  oauth: ['test/oauth/**', 'test/control/tokens.test.ts', 'test/http/{credentials,scopes}.test.ts'],
  push: [
    'test/push/**',
    'test/http/{deliver,receivers}.test.ts',
    'test/control/{notifications,snapshots}.test.ts',
    'test/conferences/push.test.ts',
    'test/api/*.{watch,stop}.test.ts',
  ],
}

/**
 * A mutant is dropped at the first test that notices it, so the room's own tests come first, which load little beside it, and
 * last those that try values by the thousand, or count the work of large worlds.
 */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      /\.property\.|work\.test/.test(moduleId) ? 2 : Number(!moduleId.includes(`/test/${process.env.FC_ROOM}/`))
    return [...files].sort((a, b) => rank(a) - rank(b))
  }
}

/** For `npm run mutants`, which says of which room. */
export default defineConfig({
  test: {
    include: [...(ABOUT[process.env.FC_ROOM ?? ''] ?? ALL)].map((files) => files.replace(/\*\*$/, '**/*.test.ts')),
    exclude: ['test/**/page.test.ts'],
    setupFiles: ['test/support/seeded.ts', 'test/mutants/loaded.ts', 'test/mutants/anew.ts'],
    testTimeout: 30_000,
    restoreMocks: true,
    isolate: false,
    sequence: { sequencer: QuickFirst },
  },
})
