import { z } from 'zod'
import { list, map, namedSchema, oneOf, text, type WithoutNulls } from './jsonSchema.ts'

const conferenceSolutionKey = namedSchema('ConferenceSolutionKey', z.object({ type: text })).nullish()
const requestStatus = namedSchema('ConferenceRequestStatus', z.object({ statusCode: text }))
const conferenceSolution = namedSchema(
  'ConferenceSolution',
  z.object({ key: conferenceSolutionKey, name: text, iconUri: text }),
)

const createRequest = namedSchema(
  'CreateConferenceRequest',
  z.object({ requestId: text, conferenceSolutionKey, status: requestStatus.nullish() }),
)

const entryPoint = namedSchema(
  'EntryPoint',
  z.object({
    entryPointType: oneOf('video', 'phone', 'sip', 'more'),
    uri: text,
    label: text,
    pin: text,
    accessCode: text,
    meetingCode: text,
    passcode: text,
    password: text,
    regionCode: text,
    entryPointFeatures: list(z.string()),
  }),
)

const addOnParameters = namedSchema('ConferenceParametersAddOnParameters', z.object({ parameters: map }))
const parameters = namedSchema('ConferenceParameters', z.object({ addOnParameters: addOnParameters.nullish() }))

/** A request to create a conference, or entry points, or both. */
export const conferenceData = namedSchema(
  'ConferenceData',
  z.object({
    createRequest: createRequest.nullish(),
    entryPoints: list(entryPoint),
    conferenceSolution: conferenceSolution.nullish(),
    conferenceId: text,
    signature: text,
    notes: text,
    parameters: parameters.nullish(),
  }),
)

export type ConferenceData = WithoutNulls<z.output<typeof conferenceData>>
export type EntryPoint = WithoutNulls<z.output<typeof entryPoint>>
