import { z } from 'zod'
import { list, map, named, oneOf, type Solid, text } from './json.ts'

const conferenceSolutionKey = named('ConferenceSolutionKey', z.object({ type: text() })).nullish()
const requestStatus = named('ConferenceRequestStatus', z.object({ statusCode: text() }))
const conferenceSolution = named(
  'ConferenceSolution',
  z.object({ key: conferenceSolutionKey, name: text(), iconUri: text() }),
)

const createRequest = named(
  'CreateConferenceRequest',
  z.object({ requestId: text(), conferenceSolutionKey, status: requestStatus.nullish() }),
)

const entryPoint = named(
  'EntryPoint',
  z.object({
    entryPointType: oneOf('video', 'phone', 'sip', 'more'),
    uri: text(),
    label: text(),
    pin: text(),
    accessCode: text(),
    meetingCode: text(),
    passcode: text(),
    password: text(),
    regionCode: text(),
    entryPointFeatures: list(z.string()),
  }),
)

const addOnParameters = named('ConferenceParametersAddOnParameters', z.object({ parameters: map() }))
const parameters = named('ConferenceParameters', z.object({ addOnParameters: addOnParameters.nullish() }))

/** The conference of an event: asked for, or there with its ways in. */
export const conferenceData = named(
  'ConferenceData',
  z.object({
    createRequest: createRequest.nullish(),
    entryPoints: list(entryPoint),
    conferenceSolution: conferenceSolution.nullish(),
    conferenceId: text(),
    signature: text(),
    notes: text(),
    parameters: parameters.nullish(),
  }),
)

export type ConferenceData = Solid<z.output<typeof conferenceData>>
export type EntryPoint = Solid<z.output<typeof entryPoint>>
