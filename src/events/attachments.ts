import type { EventAttachment } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'

const MOST = 25

/** Where files of Drive live, and what each kind is. */
const DRIVE: readonly (readonly [address: RegExp, mimeType: string])[] = [
  [/^https:\/\/docs\.google\.com\/document\/d\/([\w-]+)/, 'application/vnd.google-apps.document'],
  [/^https:\/\/docs\.google\.com\/spreadsheets\/d\/([\w-]+)/, 'application/vnd.google-apps.spreadsheet'],
  [/^https:\/\/docs\.google\.com\/presentation\/d\/([\w-]+)/, 'application/vnd.google-apps.presentation'],
  [/^https:\/\/drive\.google\.com\/(?:file\/d\/|open\?id=)([\w-]+)/, 'application/octet-stream'],
]

/** Attachments as stored (behaviour 8.16): the id and type of a file on Drive follow from its address, those of other files are the client's. */
export function readAttachments(given: readonly EventAttachment[] = []): EventAttachment[] {
  if (given.length > MOST) refuse('invalidValue', { field: 'attachments', problem: `more than ${MOST} attachments` })
  return given.map((attachment, at) => readAttachment(attachment, `attachments[${at}]`))
}

function readAttachment({ fileUrl, title, mimeType, iconLink }: EventAttachment, field: string): EventAttachment {
  const url = fileUrl || refuse('missingField', { field: `${field}.fileUrl` })
  if (!/^https?:\/\//i.test(url)) refuse('invalidValue', { field: `${field}.fileUrl`, problem: 'not http or https' })
  const file = driveFile(url)
  if (file) {
    const kind = mimeType || file.mimeType
    const icon = `https://drive-thirdparty.googleusercontent.com/16/type/${kind}`
    return { fileUrl: url, title: title || 'Untitled', mimeType: kind, iconLink: icon, fileId: file.fileId }
  }
  if (iconLink && !/^https:\/\//i.test(iconLink)) {
    refuse('invalidValue', { field: `${field}.iconLink`, problem: 'not https' })
  }
  return {
    fileUrl: url,
    title: title || refuse('missingField', { field: `${field}.title` }),
    ...(mimeType && { mimeType }),
    ...(iconLink && { iconLink }),
  }
}

function driveFile(url: string): { fileId: string; mimeType: string } | undefined {
  for (const [address, mimeType] of DRIVE) {
    const [, fileId] = address.exec(url) ?? []
    if (fileId) return { fileId, mimeType }
  }
  return undefined
}
