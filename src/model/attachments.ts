import type { EventAttachment } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'

const MOST = 25

/** A file of Drive, as far as an attachment tells of it. */
export type DriveFile = { title?: string | undefined; mimeType?: string | undefined }

/** Where files of Drive live (behaviour 8.17): a document by its kind, anything else by its id alone. */
const DOCUMENT = /^https:\/\/docs\.google\.com\/(?:a\/[^/]+\/)?([a-z]+)\/(?:u\/\d+\/)?d\/(?:e\/)?([\w-]+)/
const FOLDER = /^https:\/\/drive\.google\.com\/drive\/(?:u\/\d+\/)?folders\/([\w-]+)/
const FILE = /^https:\/\/drive\.google\.com\/(?:file\/(?:u\/\d+\/)?d\/|(?:open|uc)\?(?:[^#]*&)?id=)([\w-]+)/

/** What the kinds of documents are called in a MIME type. */
const KINDS: Readonly<Record<string, string>> = {
  document: 'document',
  drawings: 'drawing',
  forms: 'form',
  presentation: 'presentation',
  spreadsheets: 'spreadsheet',
}
const ANY_TYPE = 'application/octet-stream'
const appType = (kind: string) => `application/vnd.google-apps.${kind}`

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

/** Attachments with what their files say of themselves, which counts before what a client says (behaviour 8.17.1). */
export const withFileMetadata = (
  attachments: EventAttachment[] | undefined,
  fileOf: (fileId: string) => DriveFile | undefined,
): EventAttachment[] | undefined =>
  attachments?.map((attachment) => {
    const { title, mimeType } = fileOf(driveFile(attachment.fileUrl ?? '')?.fileId ?? '') ?? {}
    return { ...attachment, ...(title && { title }), ...(mimeType && { mimeType }) }
  })

function driveFile(url: string): { fileId: string; mimeType: string } | undefined {
  const [, place = '', document] = DOCUMENT.exec(url) ?? []
  const kind = Object.hasOwn(KINDS, place) ? KINDS[place] : undefined
  if (document) return { fileId: document, mimeType: kind ? appType(kind) : ANY_TYPE }
  const [, folder] = FOLDER.exec(url) ?? []
  if (folder) return { fileId: folder, mimeType: appType('folder') }
  const [, fileId] = FILE.exec(url) ?? []
  return fileId ? { fileId, mimeType: ANY_TYPE } : undefined
}
