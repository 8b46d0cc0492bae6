/** Names of a private vocabulary and the standard terms that replace them. */

/** A retired name. It is reported wherever it is declared, only below `within`, or (`isPath`) only as a file or folder. */
export type RetiredName = { name: string; use: string; within?: string; isPath: boolean }

/**
 * One row per line: retired names, `=>`, their replacements in the same order, and optionally `@ folder`. A name with a
 * slash is that of a file or folder.
 */
const ROWS = `
Realm House => World WorldRegistry
Life life/ => Epoch worlds/
line split over => epoch fork reset @ src/control/worlds
Rig rig rig/ => TestControls controls control/
ways/ Way => interception/ MountOptions
wire/ refuse Refusal => schema/ throw-apiError ApiError
meetings/ reading/ fake/ => api/events/ api/events/ types
Entry Made Place => RequestContext RequestContext RequestContext @ src/server
Entry Made Place => RequestContext RequestContext RequestContext @ src/oauth
Entry Made Place => RequestContext RequestContext RequestContext @ src/control
Bindings Met Entrance Came Asked Found => RequestContext RequestContext RequestContext RequestContext RequestContext RequestContext
Brought Sent Given => ParsedBody RawBody input
Said Answer Told => ApiResponse ApiResponse ApiResponse
nowhere unheard noted => notFound logOnly withJournal
enter over => dispatch finish @ src/server
Fate Planned => FaultMatch ActiveFault
meet hit lack => matchFault tryFire unmetMessage @ src/control
undergo underFate => applyRequestFault withFaults
ended => applyResponseFault @ src/server
Spoiling spoilt writtenAnyway => BodyFault corruptBody SafeServerResponse
FATES => LIFECYCLE_POLICY
arrive sight isLook => ensureAccount scopeView isInspectorRead
aside => isInspectorRead @ src/control
onCue cue takeCue => injected failNext consumeScriptedFailure
plant planted Planted Planting => applySeed seeded Seeded SeedApplication
Misfit WaitedInVain Scene => InvalidInputError TimeoutError ControlContext
LineEnd Goal led => InMemorySocket ConnectTarget interceptConnect
Lead put whole => Route patchMethod redirectToServer @ src/interception
surroundings descendants => childEnv processTree
gate => namespaceGateway @ src/interception
gate => namespaceGateway @ src/cli
Stretch saidInFull => SeriesSegment withDefaults
mains alone => masters orphanException @ src/seeds/ical
steer looks => controlAction eventAppearance
made/ where/ live/ around/ more/ => codeSnippets baseUrl session EventTabs AdvancedFields @ src/ui
handedOut openForm takeForm => withWorldPrefix issueCsrfToken consumeCsrfToken
known => stripWorldPrefix @ src/oauth
Picture picture => StoreSnapshot snapshot
goBack turnBack become => resetTo restore setState
Hears wentBack => StoreListener onRollback
rehearse => dryRun
signed => withAuthor @ src/db
signed => withAuthor @ src/effects
PICTURES => MAX_RETAINED_SNAPSHOTS
keep => retainSnapshot @ src/db
kept => remaining
asked planted written forgotten => lastTokenRevision seedRevision lastClientRevision expiredUpTo @ src/db
State Cell Table Appended => Collection LazyValue LazyTable PersistentList @ src/db
Turn ofTheList => SortKey filterParams
drawn => mergeSorted @ src/sync
fill => takePage @ src/sync
lane => bucket @ src/effects
lane => bucket @ src/db
NOWHERE Stand Upcoming => NO_INTERVAL CursorCache NextOccurrenceIndex
quiet there gone => preservesUpdated live cancelled
Reading => LocalMs @ src/recurrence
stamp/ written/ moments/ => icalDateTime format duration @ src/recurrence
unborn checkBirth brought => insertOnlyRules checkInsert given
saysUid idSaidBy => hasDefaultUid idFromDefaultUid
keepingOf keeperAt keepersAnswers => autoDeclineSettings conflictingBlocker autoDeclines
wanted/ => roomConflicts
isTaken => hasConflict @ src/effects
isHole showGone amongStrangers shower => isCancelledInstance toTombstone withoutOtherGuests viewFor
lasts => cachedJson @ src/schema
lasts => cachedJson @ src/http
lasts => cachedJson @ src/api
carried Knowing taken => gatedFields FeatureVersions enqueueConferenceRequest
inOrderOfChange inOrderOfStart => listByUpdated listByStart
Postal letter CROWD => MessageTransport mailMessage MAX_CONCURRENT_CHANNELS
Line Lane => ReceiverQueue ChannelQueue @ src/effects
telephone => dialIn
sentence/ => naturalLanguage
people => accountPicker @ src/oauth
Shown played playing Naming => InitialState report command IdMap @ src/cli/conform
forms => formats @ src/cli/conform
said asked told heard meant wished begun => value request message received intended requested started
Said Told Heard Wanted Which Whose => noun noun noun noun noun noun
`

export const RETIRED_NAMES: RetiredName[] = ROWS.trim()
  .split('\n')
  .flatMap((row) => {
    const [words = '', folder] = row.split(' @ ')
    const [names = [], uses = []] = words.split(' => ').map((side) => side.split(' '))
    return names.map((name, at) => ({
      name: name.replace(/\/$/, ''),
      use: uses[at] ?? '',
      isPath: name.endsWith('/'),
      ...(folder !== undefined && { within: folder }),
    }))
  })

/** Constants that do not name their limit: `MOST`, `MOST_PAGES`, `LONGEST_NAME`. Limits are named `MAX_` or `MIN_` with a unit. */
export const RETIRED_LIMITS =
  /^(MOST|LONGEST|SHORTEST|DEEPEST|DEPTH|PATIENCE|FEW|FEWEST|FURTHEST|BIGGEST|LARGEST|ENOUGH|MANY)(_|$)/

/** Words of the private vocabulary in the text of a page. Most other retired names are ordinary words there. */
export const RETIRED_WORDS =
  /\b(planted|planting|refusals?|spoilt|in vain|on cue|forgotten|misfits?|whoever|told of|heard|hears)\b/gi
