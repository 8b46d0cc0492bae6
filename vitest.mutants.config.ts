import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The test files that run in one process and use the modules of `src`. */
const ALL = ['test/{api,control,db,effects,http,model,oauth,recurrence,schema,seeds,server,sync}/**']

/**
 * The test files for the mutants of one folder. All files would take minutes for each mutant. A score is a lower bound,
 * because other files are not run.
 */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  recurrence: [
    'test/recurrence/**',
    'test/model/clock.test.ts',
    'test/control/operations/clock.test.ts',
    'test/api/events/{get,instances,list.span,recurrence,series,work}.test.ts',
  ],
  db: [
    'test/{db,model,sync}/**',
    'test/effects/exceptions.test.ts',
    'test/control/history/{changes,series}.test.ts',
    'test/control/{operations/clock,operations/syncTokens,worlds/snapshots}.test.ts',
    'test/seeds/state.test.ts',
    'test/api/**/list*.test.ts',
    'test/api/events/{changes,get,instances.property,view,watch,work}.test.ts',
  ],
  model: [
    'test/{api,effects,model,oauth}/**',
    'test/schema/fields/**',
    'test/seeds/{anchor,state,state.torn}.test.ts',
    'test/control/operations/{mail,moments,oauth,seed}.test.ts',
    'test/control/worlds/{idle,parts,worlds}.test.ts',
    'test/server/checks/{authenticate,checkScopes}.test.ts',
  ],
  sync: [
    'test/{model,sync}/**',
    'test/api/**/list*.test.ts',
    'test/api/events/{changes,instances,series.property,work}.test.ts',
    'test/control/operations/syncTokens.test.ts',
  ],
  effects: [
    'test/{effects,model}/**',
    'test/control/operations/{conferences,mail,moments,notifications}.test.ts',
    'test/control/worlds/snapshots.test.ts',
    'test/server/webhookSender*.test.ts',
    'test/api/events/**',
    'test/api/**/{stop,watch}.test.ts',
  ],
  api: [
    'test/{api,model}/**',
    'test/schema/fields/**',
    'test/effects/{guests,reminders,roomConflicts}.test.ts',
    'test/control/operations/{mail,moments,seed}.test.ts',
    'test/server/checks/{authenticate,checkScopes}.test.ts',
  ],
  oauth: [
    'test/oauth/**',
    'test/control/operations/oauth.test.ts',
    'test/server/checks/{authenticate,checkScopes}.test.ts',
  ],
}

/**
 * A mutant is dropped at the first test that notices it, so the room's own tests come first, which load little beside it, and
 * last those that try values by the thousand, or count the work of large worlds.
 */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      /\.property\.|work\.test|model\/model\.test/.test(moduleId)
        ? 2
        : Number(!moduleId.includes(`/test/${process.env.FC_ROOM}/`))
    return [...files].sort((a, b) => rank(a) - rank(b))
  }
}

/** For `npm run mutants`, which says of which room. */
export default defineConfig({
  test: {
    include: [...(ABOUT[process.env.FC_ROOM ?? ''] ?? ALL)].map((files) => files.replace(/\*\*$/, '**/*.test.ts')),
    exclude: ['test/**/page.test.ts'],
    setupFiles: ['test/support/seeded.ts', 'test/mutants/loadModules.ts', 'test/mutants/freshSeeds.ts'],
    testTimeout: 30_000,
    restoreMocks: true,
    isolate: false,
    sequence: { sequencer: QuickFirst },
  },
})
