import { expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type {
  conferencePolicy,
  conferenceRule,
  conferenceSettlement,
  conferences,
} from '../../../src/schema/conferencePolicy.ts'
import type { mail } from '../../../src/schema/mail.ts'
import type { oauthFailure, oauthSeed } from '../../../src/schema/oauth.ts'
import type { OAuthFailure, OAuthSeed } from '../../../src/schema/types/oauthTypes.ts'
import type {
  ConferencePolicy,
  ConferenceRule,
  ConferenceSettlement,
  ConferenceState,
  Mail,
  Seed,
} from '../../../src/schema/types/publicTypes.ts'
import type { seedShape } from '../../../src/seeds/schema/shape.ts'
import type { counters } from '../../../src/seeds/schema/state.ts'

/** A type with its intersections joined, at every depth, so that equal shapes are equal types. */
type Flat<T> = T extends readonly (infer E)[] ? Flat<E>[] : T extends object ? { [K in keyof T]: Flat<T[K]> } : T

test('the public types equal those of the schemas', () => {
  expectTypeOf<Flat<Omit<Seed, 'counters'>>>().toEqualTypeOf<Flat<z.output<typeof seedShape>>>()
  expectTypeOf<Flat<NonNullable<Seed['counters']>>>().toEqualTypeOf<Flat<z.output<typeof counters>>>()
  expectTypeOf<Mail>().toEqualTypeOf<z.output<typeof mail>>()
  expectTypeOf<OAuthSeed>().toEqualTypeOf<z.output<typeof oauthSeed>>()
  expectTypeOf<OAuthFailure>().toEqualTypeOf<z.output<typeof oauthFailure>>()
  expectTypeOf<ConferencePolicy>().toEqualTypeOf<z.output<typeof conferencePolicy>>()
  expectTypeOf<Flat<ConferenceRule>>().toEqualTypeOf<z.output<typeof conferenceRule>>()
  expectTypeOf<ConferenceSettlement>().toEqualTypeOf<z.output<typeof conferenceSettlement>>()
  expectTypeOf<Flat<ConferenceState>>().toEqualTypeOf<Flat<z.output<typeof conferences>>>()
})
