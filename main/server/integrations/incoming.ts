import type { IncomingMessage } from 'node:http'
import * as v from 'valibot'
import type { CallOutcome } from '#shared/domain/manage/integrations.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { isObject, parseBody, type Json } from '../http/json.ts'
import { Refusal, refuse } from '../http/refusal.ts'
import { readText, type Special, callerOf } from '../http/server.ts'
import { transact, type Services, trying, type Work } from '../work.ts'
import { integrationByHash, type IntegrationRow } from './integration-table.ts'
import { closed, noteCall, hashOf, botOf } from './programs.ts'
import { accessTo, mayRead } from '../channels/access.ts'
import { channelByCid, type ChannelRow } from '../channels/channel-table.ts'
import { readMessage } from '../messages/message-input.ts'
import { postAndAnnounce } from '../messages/message-post.ts'
import { banOf, EVERYWHERE } from '../moderation/restriction-tables.ts'
import type { Db } from '../store/db.ts'
import { userById } from '../users/user-tables.ts'

export const HOOK_PATH = '/hooks/'
const SECRET = /^\/hooks\/([\w-]{43})$/
/** More than the longest message with all its attachments. */
const MAX_HOOK_BYTES = 256 * 1024

/** The status that a program gets, and what is wrong in words. */
const REFUSALS: Readonly<Partial<Record<CallOutcome, readonly [status: number, reason: string]>>> = {
  'too-many': [429, 'too many calls: 60 a minute are allowed'],
  'no-text': [400, 'there is no text: send "text" or "attachments"'],
  'too-long': [400, 'the text is longer than a message may be'],
  'bad-request': [400, 'the body must be JSON with "text" or "attachments", or a form with "payload"'],
  'too-big': [413, 'the body is too big'],
  blocked: [403, 'the rules of the workspace do not allow this message'],
  'not-allowed': [403, 'the webhook or whoever made it may not write in the channel'],
  'channel-frozen': [403, 'nobody can write in the channel now'],
  'channel-gone': [404, 'the channel does not exist any more'],
  paused: [403, 'this webhook is paused'],
  revoked: [410, 'this webhook was revoked'],
}

/**
 * `POST /hooks/SECRET`: a program posts into the channel of its webhook. The secret in the address is the right to do so.
 * Formats and answers are documented in docs/integrations.md.
 */
export const incomingHooks =
  (services: Services): Special =>
  ({ request, response, url }) => {
    if (!url.pathname.startsWith(HOOK_PATH)) return undefined
    return {
      operation: 'Hook',
      run: async () => {
        const row = hookOf(url.pathname, services)
        if (request.method !== 'POST') throw new Refusal('notAllowed', 'only POST is answered here', { status: 405 })
        const answer = await receive(row, request, services)
        if (answer.outcome !== 'posted') {
          const [status, reason] = REFUSALS[answer.outcome] ?? [400, 'the message was refused']
          if (answer.waitS !== undefined) response.setHeader('Retry-After', String(answer.waitS))
          const code = answer.outcome === 'too-many' ? 'rateLimit' : 'input'
          throw new Refusal(code, answer.reason ?? reason, { status })
        }
        response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' })
        response.end('ok')
      },
    }
  }

/** A wrong address is no wrong sign-in: nobody guesses one, and a forgotten program must not lock its network out. */
function hookOf(path: string, { db }: Services): IntegrationRow {
  const secret = SECRET.exec(path)?.[1]
  const row = secret === undefined ? undefined : integrationByHash(db, hashOf(secret))
  if (row?.kind === 'incoming') return row
  return refuse('doesNotExist', 'there is no such webhook')
}

type Answer = { readonly outcome: CallOutcome; readonly waitS?: number; readonly reason?: string }

async function receive(row: IntegrationRow, request: IncomingMessage, services: Services): Promise<Answer> {
  const started = services.clock.monotonic()
  const source = callerOf(request, services)
  const early = closed(row)
  const waitS = early === undefined ? services.programs.take(row.id) : 0
  const refusal = early ?? (waitS > 0 ? 'too-many' : undefined)
  if (refusal !== undefined) {
    if (services.programs.isWorthNoting(row.id, refusal)) note(services, row, refusal, { source, started })
    return { outcome: refusal, ...(waitS > 0 ? { waitS } : {}) }
  }
  let body = ''
  let payload: { readonly text: string; readonly attachments: number }
  try {
    body = await readText(request, services, MAX_HOOK_BYTES)
    payload = textOfPayload(payloadIn(body, request.headers['content-type']))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const outcome = error.codeName === 'payloadTooBig' ? 'too-big' : 'bad-request'
    note(services, row, outcome, { source, started, request: body })
    return { outcome, reason: error.message }
  }
  return transact(services, (work) => {
    const now = integrationByHash(work.db, row.hash ?? '')
    const gone = now === undefined ? 'revoked' : closed(now)
    const posted = gone === undefined ? postAs(work, row, row.cid ?? '', payload.text) : { outcome: gone }
    const { outcome } = posted
    noteCall(work, row, {
      took: services.clock.monotonic() - started,
      status: statusOf(outcome),
      outcome,
      what: summary(payload),
      source,
      request: outcome === 'posted' ? null : body,
    })
    return posted
  })
}

const statusOf = (outcome: CallOutcome): number => (outcome === 'posted' ? 200 : (REFUSALS[outcome]?.[0] ?? 400))

/** One line for the list of calls. */
const summary = ({ text }: { readonly text: string }): string => text.replaceAll(/\s+/g, ' ').trim()

type Noted = { readonly source: string; readonly started: number; readonly request?: string }

function note(
  services: Services,
  row: IntegrationRow,
  outcome: CallOutcome,
  { source, started, request }: Noted,
): void {
  transact(services, (work) =>
    noteCall(work, row, {
      took: services.clock.monotonic() - started,
      status: statusOf(outcome),
      outcome,
      what: '',
      source,
      request: request ?? null,
    }),
  )
}

/** JSON, or a form whose field `payload` is JSON. A form's other fields are ignored. */
function payloadIn(body: string, type: string | undefined): Json {
  if (/^application\/x-www-form-urlencoded\b/i.test(type ?? '') && !body.trimStart().startsWith('{')) {
    const field = new URLSearchParams(body).get('payload')
    if (field === null) return refuse('input', 'the form has no field "payload"')
    return parseBody(field)
  }
  const parsed = parseBody(body)
  const inner = parsed['payload']
  return isObject(inner) ? inner : parsed
}

type Posted = { readonly outcome: CallOutcome; readonly messageId?: string; readonly reason?: string }

/**
 * Posts a text in the name of a program, with the limits and rules of any message. A frozen or shut channel takes nothing
 * from programs either, whatever the server itself may do there.
 */
export function postAs(work: Work, row: IntegrationRow, cid: string, text: string, parentId?: string): Posted {
  if (isBlank(text)) return { outcome: 'no-text' }
  const channel = channelByCid(work.db, cid)
  if (!channel || channel.deleted_at !== null) return { outcome: 'channel-gone' }
  if (channel.frozen === 1 || channel.disabled === 1) return { outcome: 'channel-frozen' }
  const who = botOf(row)
  if (isBanned(work.db, who.userId, cid)) return { outcome: 'not-allowed' }
  if (row.kind === 'incoming' && !makerMayWrite(work.db, row, channel)) return { outcome: 'not-allowed' }
  try {
    const { row: message, announced } = trying(work, (inner) =>
      postAndAnnounce(inner, accessTo(inner.db, channel, who), who, readMessage({ text, parent_id: parentId })),
    )
    return announced ? { outcome: 'posted', messageId: message.id } : { outcome: 'blocked' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { outcome: error.codeName === 'messageTooLong' ? 'too-long' : 'blocked', reason: error.message }
  }
}

const isBanned = (db: Db, userId: string, cid: string): boolean =>
  [EVERYWHERE, cid].some((where) => banOf(db, userId, where)?.shadow === 0)

/** Whoever made a webhook must still be able to do what it does. */
function makerMayWrite(db: Db, { created_by: id }: IntegrationRow, channel: ChannelRow): boolean {
  const maker = userById(db, id)
  if (!maker || maker.deactivated_at !== null || maker.deleted_at !== null) return false
  const { role, banned } = maker
  const who = { userId: id, role, banned: banned === 1, server: false, expiresAtMs: undefined }
  const access = accessTo(db, channel, who)
  return mayRead(access, who) && access.can.has('send-message')
}

/**
 * What programs post: `text` and `attachments` as Slack's webhooks take them, turned into Markdown. Everything else that
 * Slack knows (`username`, `icon_url`, `channel`, `blocks`) is ignored: who posts and where is what its owner chose.
 */

const MAX_ATTACHMENTS = 20
const MAX_FIELDS = 30

const part = v.nullish(v.union([v.string(), v.pipe(v.number(), v.transform(String))]))
const attachment = v.looseObject({
  fallback: part,
  pretext: part,
  author_name: part,
  title: part,
  title_link: part,
  text: part,
  image_url: part,
  footer: part,
  fields: v.nullish(v.pipe(v.array(v.looseObject({ title: part, value: part })), v.maxLength(MAX_FIELDS))),
})
const payload = v.looseObject({
  text: part,
  attachments: v.nullish(v.pipe(v.array(attachment), v.maxLength(MAX_ATTACHMENTS))),
})
type Attachment = v.InferOutput<typeof attachment>

/** The text that a payload becomes; empty when it says nothing. Refuses other types than Slack's with code 4. */
export function textOfPayload(input: unknown): { readonly text: string; readonly attachments: number } {
  const result = v.safeParse(payload, input)
  if (!result.success) {
    const [issue] = result.issues
    return refuse('input', `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`)
  }
  const { text, attachments } = result.output
  const parts = [markdownOf(text ?? ''), ...(attachments ?? []).map(quoted)]
  return { text: parts.filter((each) => !isBlank(each)).join('\n\n'), attachments: attachments?.length ?? 0 }
}

/** An attachment as a quotation, its introduction before it. */
function quoted(given: Attachment): string {
  const { pretext, author_name: author, title, title_link: link, text, fields, image_url: image, footer } = given
  const lines = [
    markdownOf(author ?? ''),
    heading(markdownOf(title ?? ''), link ?? undefined),
    markdownOf(text ?? ''),
    ...(fields ?? []).map(({ title: name, value }) =>
      [name ? `**${markdownOf(name)}:**` : '', markdownOf(value ?? '')].filter((each) => each !== '').join(' '),
    ),
    isWeb(image) ? image : '',
    markdownOf(footer ?? ''),
  ].filter((each) => !isBlank(each))
  const shown = lines.length > 0 ? lines : [markdownOf(given.fallback ?? '')].filter((each) => !isBlank(each))
  const quotation = shown.flatMap((each) => each.split('\n')).map((each) => `> ${each}`)
  // A line of Markdown ends where a new paragraph begins, or after two spaces.
  return [markdownOf(pretext ?? ''), quotation.join('  \n')].filter((each) => !isBlank(each)).join('\n\n')
}

const isWeb = (url: string | null | undefined): url is string => /^https?:\/\/\S+$/i.test(url ?? '')

function heading(title: string, link: string | undefined): string {
  if (title === '') return isWeb(link) ? link : ''
  return isWeb(link) ? `**[${title.replaceAll(/[[\]]/g, ' ')}](<${link.replaceAll(/[<>]/g, '')}>)**` : `**${title}**`
}

/** `<https://x|name>` and `<https://x>`; also what Slack writes for people and channels, which exist only there. */
const LINK = /<([^<>|]{1,2048})(?:\|([^<>]{0,1000}))?>/g
const BOLD = /(^|[\s(>])\*(?=\S)([^*\n]{1,500}?\S|\S)\*(?=$|[\s).,:;!?])/gm
const STRUCK = /(^|[\s(>])~(?=\S)([^~\n]{1,500}?\S|\S)~(?=$|[\s).,:;!?])/gm

/** Slack's own markup as Markdown. Code stays as it is. */
function markdownOf(text: string): string {
  return text
    .split(/(```[\s\S]*?```|`[^`\n]*`)/)
    .map((piece, at) => (at % 2 === 1 ? unescaped(piece) : prose(piece)))
    .join('')
}

const prose = (text: string): string =>
  unescaped(
    text
      .replaceAll(LINK, (whole, target: string, name: string | undefined) => linkOf(whole, target, name))
      .replaceAll(BOLD, '$1**$2**')
      .replaceAll(STRUCK, '$1~~$2~~'),
  )

function linkOf(whole: string, target: string, name: string | undefined): string {
  if (/^(?:https?:\/\/|mailto:)\S+$/i.test(target)) {
    return name === undefined || name === '' ? target : `[${name.replaceAll(/[[\]]/g, ' ')}](${target})`
  }
  return /^[#@!]/.test(target) ? (name ?? target.slice(1)) : whole
}

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
