import * as v from 'valibot'
import type { WireAttachment } from '#shared/wire/objects.ts'
import { getOg } from '#shared/wire/app.ts'
import type { Clock } from '#main/lib/clock.ts'
import { refuse } from '../http/refusal.ts'
import { guardedGet, LinkRefused, type Net, type Page, checkLink } from './fetch.ts'
import { announceMessage } from '../messages/message-announce.ts'
import { accessTo } from '../channels/access.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { changeMessage, messageById, type MessageRow } from '../messages/message-table.ts'
import { transact, type Services, type Work } from '../work.ts'
import type { Route } from '../http/router.ts'
import { read } from '../http/shapes.ts'

/** See docs/wire.md 8.17. */
const MAX_CONCURRENT = 4
const CACHE_MS = 24 * 3_600_000
const CACHE_REFUSED_MS = 10 * 60_000
const CACHE_SIZE = 500
const MAX_HEAD_BYTES = 256 * 1024
const MAX_TEXT = 300

/** OG ATTACHMENT. See docs/wire.md 5.9. */
type Preview = WireAttachment & { readonly og_scrape_url: string }

type CacheEntry = { readonly until: number; readonly found: Preview | string }

/** Fetches link previews: cached, a few at once, from public addresses only. The caller applies rate limits. */
export class Previews {
  readonly #net: Net | undefined
  readonly #clock: Clock
  readonly #cache = new Map<string, CacheEntry>()
  readonly #waiting: (() => void)[] = []
  #running = 0

  /** @param net absent: link previews are switched off */
  constructor(net: Net | undefined, clock: Clock) {
    this.#net = net
    this.#clock = clock
  }

  get enabled(): boolean {
    return this.#net !== undefined
  }

  /** Refuses with code 19 when switched off, 4 for a link that may not be followed, 16 without data. */
  async find(link: string): Promise<Preview> {
    const net = this.#net
    if (!net) return refuse('featureNotSupported', 'link previews are switched off')
    const url = checkLink(link)
    if (typeof url === 'string') return refuse('input', url, { url })
    const known = this.#cache.get(url.href)
    if (known && known.until > this.#clock.monotonic()) return resultOf(known.found)
    await this.#enter()
    try {
      return resultOf(this.#store(url.href, await fetchPreview(url.href, net, this.#clock)))
    } finally {
      this.#leave()
    }
  }

  #store(link: string, found: Preview | string): Preview | string {
    if (this.#cache.size >= CACHE_SIZE) this.#cache.delete(this.#cache.keys().next().value ?? '')
    const ms = typeof found === 'string' ? CACHE_REFUSED_MS : CACHE_MS
    this.#cache.set(link, { until: this.#clock.monotonic() + ms, found })
    return found
  }

  async #enter(): Promise<void> {
    if (this.#running >= MAX_CONCURRENT) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running += 1
  }

  /** Passes the slot on to the next waiting request, or frees it. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#running -= 1
  }
}

function resultOf(found: Preview | string): Preview {
  return typeof found === 'string' ? refuse('doesNotExist', found) : found
}

async function fetchPreview(link: string, net: Net, clock: Clock): Promise<Preview | string> {
  try {
    const page = await guardedGet(link, net, clock, MAX_HEAD_BYTES)
    if (page.contentType !== 'text/html') return picture(link, page)
    const found = previewOf(link, page.url, readHead(page.bytes.toString('utf8')))
    return found ? await withCheckedImage(found, net, clock) : 'the page says nothing about itself'
  } catch (error) {
    if (error instanceof LinkRefused) return error.message
    throw error
  }
}

/** Checks the page's picture with the same guard and drops it if refused. Its bytes are not read. */
async function withCheckedImage(found: Preview, net: Net, clock: Clock): Promise<Preview> {
  const { image_url: image, thumb_url: _thumb, ...rest } = found
  if (typeof image !== 'string') return found
  try {
    if ((await guardedGet(image, net, clock, 0)).contentType.startsWith('image/')) return found
  } catch (error) {
    if (!(error instanceof LinkRefused)) throw error
  }
  return {
    ...rest,
    og_scrape_url: found.og_scrape_url,
    type: found.type === 'image' ? 'article' : (found.type ?? 'article'),
  }
}

const picture = (link: string, page: Page): Preview => ({
  og_scrape_url: link,
  type: 'image',
  image_url: page.url.href,
  thumb_url: page.url.href,
  title_link: page.url.href,
})

/** Plain text only; links only if they may be followed themselves. */
function previewOf(link: string, at: URL, { title: pageTitle, meta }: PageFacts): Preview | undefined {
  const first = (...names: string[]) => names.map((name) => meta.get(name)).find((value) => value !== undefined)
  const title = first('og:title', 'twitter:title') ?? pageTitle
  const text = first('og:description', 'twitter:description', 'description')
  const image = safeLink(first('og:image:secure_url', 'og:image', 'twitter:image'), at)
  const media = safeLink(first('og:video', 'og:audio'), at)
  if (!title && !text && !image) return undefined
  const site = first('og:site_name')
  return {
    og_scrape_url: link,
    type: media ? (meta.has('og:video') ? 'video' : 'audio') : image ? 'image' : 'article',
    ...(title ? { title: title.slice(0, MAX_TEXT) } : {}),
    ...(text ? { text: text.slice(0, MAX_TEXT) } : {}),
    ...(image ? { image_url: image, thumb_url: image } : {}),
    ...(media ? { asset_url: media } : {}),
    title_link: safeLink(first('og:url'), at) ?? at.href,
    author_name: (site ?? at.hostname).slice(0, MAX_TEXT),
    author_link: at.origin,
  }
}

function safeLink(text: string | undefined, base: URL): string | undefined {
  if (text === undefined || !URL.canParse(text, base.href)) return undefined
  const url = checkLink(new URL(text, base.href).href)
  return typeof url === 'string' ? undefined : url.href
}

/** The title and meta tags of a page, unchanged. */
type PageFacts = { readonly title: string | undefined; readonly meta: ReadonlyMap<string, string> }

const MAX_VALUE = 2_000
const MAX_TAGS = 500
const MAX_TAG = 8_192

/**
 * Reads title and meta tags of a head in one pass from tag to tag: no tree, no recursion, no regular expression that
 * could backtrack without bound. Ends with the head. The first value of a name counts.
 */
export function readHead(html: string): PageFacts {
  const meta = new Map<string, string>()
  const lower = html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  let title: string | undefined
  let at = 0
  for (let tags = 0; tags < MAX_TAGS; tags += 1) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    if (html.startsWith('<!--', open)) {
      at = endOf(lower, '-->', open + 4)
      continue
    }
    const close = tagEnd(html, open + 1)
    const tag = html.slice(open + 1, close)
    const name = nameOf(tag)
    at = close + 1
    if (name === '/head' || name === 'body') break
    if (name === 'script' || name === 'style' || name === 'noscript') at = endOf(lower, `</${name}`, at)
    if (name === 'title' && title === undefined) {
      const end = endOf(lower, '</title', at)
      title = decodeText(html.slice(at, Math.min(end, at + MAX_VALUE)).split('<', 1)[0] ?? '')
      at = end
    }
    if (name === 'meta') noteMeta(meta, attributesOf(tag))
  }
  return { title, meta }
}

function nameOf(tag: string): string {
  let end = 0
  while (end < tag.length && !/[\s>]/.test(tag[end] ?? '')) end += 1
  return tag
    .slice(0, end)
    .toLowerCase()
    .replace(/(?<=.)\/$/, '')
}

function endOf(lower: string, mark: string, from: number): number {
  const found = lower.indexOf(mark, from)
  return found < 0 ? lower.length : found
}

/** The `>` that ends a tag: ignoring any inside quotes. */
function tagEnd(html: string, from: number): number {
  let quote = ''
  const limit = Math.min(html.length, from + MAX_TAG)
  for (let at = from; at < limit; at += 1) {
    const char = html[at] ?? ''
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '>') return at
  }
  return limit
}

function noteMeta(meta: Map<string, string>, attributes: ReadonlyMap<string, string>): void {
  const name = (attributes.get('property') ?? attributes.get('name') ?? '').toLowerCase()
  const content = attributes.get('content')
  if (name !== '' && content !== undefined && content !== '' && !meta.has(name)) meta.set(name, content)
}

function attributesOf(tag: string): Map<string, string> {
  const found = new Map<string, string>()
  let at = nameOf(tag).length
  while (at < tag.length) {
    while (at < tag.length && /[\s/]/.test(tag[at] ?? '')) at += 1
    const start = at
    while (at < tag.length && !/[\s=/]/.test(tag[at] ?? '')) at += 1
    const name = tag.slice(start, at).toLowerCase()
    while (at < tag.length && /\s/.test(tag[at] ?? '')) at += 1
    if (tag[at] !== '=') {
      if (at === start) at += 1
      continue
    }
    at += 1
    while (at < tag.length && /\s/.test(tag[at] ?? '')) at += 1
    const value = valueAt(tag, at)
    at = value.end
    if (name !== '' && !found.has(name)) found.set(name, decodeText(value.text.slice(0, MAX_VALUE)))
  }
  return found
}

function valueAt(tag: string, at: number): { readonly text: string; readonly end: number } {
  const quote = tag[at]
  if (quote === '"' || quote === "'") {
    const close = tag.indexOf(quote, at + 1)
    const end = close < 0 ? tag.length : close
    return { text: tag.slice(at + 1, end), end: end + 1 }
  }
  let end = at
  while (end < tag.length && !/\s/.test(tag[end] ?? '')) end += 1
  return { text: tag.slice(at, end), end }
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function decodeText(text: string): string {
  return text
    .replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, (all, code: string) => {
      if (!code.startsWith('#')) return NAMED[code.toLowerCase()] ?? all
      const point = code[1] === 'x' || code[1] === 'X' ? Number.parseInt(code.slice(2), 16) : Number(code.slice(1))
      return point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : ''
    })
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
}

/** The most links of one message that get previews. */
const MAX_LINKS = 3
const LINK = /https?:\/\/[^\s<>"'`]{1,2048}/gi

/** The links of a text, each once, without punctuation at the end. */
function linksIn(text: string): string[] {
  const found = (text.match(LINK) ?? []).map(withoutEnd)
  return [...new Set(found)].slice(0, MAX_LINKS)
}

const SENTENCE_ENDS = '.,;:!?)]}'

function withoutEnd(link: string): string {
  let end = link.length
  while (end > 0 && SENTENCE_ENDS.includes(link[end - 1] ?? ' ')) end -= 1
  return link.slice(0, end)
}

type Attachment = WireAttachment

/** Removes previews of links that are no longer in the text. */
export function withoutStalePreviews(attachments: readonly unknown[], text: string): readonly unknown[] {
  return (attachments as readonly Attachment[]).filter(
    ({ og_scrape_url: link }) => typeof link !== 'string' || text.includes(link),
  )
}

/** Fetches previews of a sent message's links and adds them. See docs/wire.md 8.7 "URL enrichment". */
export function enrichLater(work: Work, row: MessageRow): void {
  if (!work.enrichSent || !work.previews.enabled) return
  const links = linksIn(row.text)
  const hasPreview = (JSON.parse(row.attachments) as readonly Attachment[]).some((each) => each.og_scrape_url)
  if (links.length === 0 || hasPreview) return
  work.afterwards(() => {
    enrich(work, row, links).catch((error: unknown) =>
      work.log.debug('not-enriched', { reason: error instanceof Error ? error.name : 'unknown' }),
    )
  })
}

async function enrich(services: Services, row: MessageRow, links: readonly string[]): Promise<void> {
  // The same rate limit as for previews in the composer.
  const who = { userId: row.user_id, server: false }
  const allowed = links.filter(() => services.limits.take(who, getOg.operation).allowed)
  const found = await Promise.allSettled(allowed.map((link) => services.previews.find(link)))
  const previews = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  if (previews.length > 0) transact(services, (work) => addPreviews(work, row.id, previews))
}

/** Only if the message still exists, still contains the link, and has no preview of it yet. */
function addPreviews(work: Work, messageId: string, previews: readonly Preview[]): void {
  const row = messageById(work.db, messageId)
  const channel = row ? channelByCid(work.db, row.cid) : undefined
  if (!row || !channel || row.deleted_at !== null) return
  const attachments = JSON.parse(row.attachments) as readonly Attachment[]
  const known = new Set(attachments.map((each) => each.og_scrape_url))
  const links = linksIn(row.text)
  const fresh = previews.filter((each) => !known.has(each.og_scrape_url) && links.includes(each.og_scrape_url))
  if (fresh.length === 0) return
  const at = work.stamp(row.cid)
  const changed = changeMessage(work.db, row.id, {
    attachments: JSON.stringify([...attachments, ...fresh]),
    updated_at: at,
  })
  const who = { userId: row.user_id, role: 'user', banned: false, server: true, expiresAtMs: undefined }
  const after = changed ?? row
  announceMessage(work, accessTo(work.db, channel, who), who, 'message.updated', after)
}

const query = v.looseObject({ url: v.pipe(v.string(), v.minLength(1), v.maxLength(2_048)) })

/** The only call that waits for another server, so it runs outside of any transaction. See docs/wire.md 3.1. */
export const ogRoutes: readonly Route[] = [
  {
    method: getOg.method,
    path: getOg.path,
    operation: getOg.operation,
    open: false,
    shapes: { query },
    run: (input, { previews }) => previews.find(read(query, input.query).url),
  },
]
