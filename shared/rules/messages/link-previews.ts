import type { LinkPreview, LinkPreviewChoices, LinkPreviewState } from '#shared/domain/link-preview.ts'

/** Links of one message that are looked at: as many as the server takes of it. */
const MAX_LINK_PREVIEWS = 3
/** An address longer than this is not asked about. */
const MAX_LINK_LENGTH = 2_048

const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g
/**
 * With a scheme, or without one where it cannot be anything else: `www.` before or a path behind. A bare `notes.md` is a
 * file to most people. The host has a dot and ends in two letters at least. See docs/wire.md 7.19.
 */
const LINK =
  /(?<![\p{L}\p{N}@./-])(?:https?:\/\/(?:[\p{L}\p{N}-]{1,63}\.){1,10}\p{L}{2,24}(?::\d{1,5})?(?![\p{L}\p{N}.@-]*@)(?:[/?#][^\s<>"'`]*)?|www\.(?:[\p{L}\p{N}-]{1,63}\.){1,10}\p{L}{2,24}(?:[/?#][^\s<>"'`]*)?|(?:[\p{L}\p{N}-]{1,63}\.){1,10}\p{L}{2,24}\/[^\s<>"'`]*)/giu

/** The addresses a text names, each once, in their order; `https` where no scheme was written. Code names none. */
export function previewLinks(text: string): readonly string[] {
  if (!text.includes('.')) return []
  const found = (text.replace(CODE, ' ').match(LINK) ?? []).map(withoutEnd).map(withScheme)
  return [...new Set(found)].filter((url) => url.length <= MAX_LINK_LENGTH).slice(0, MAX_LINK_PREVIEWS)
}

const SENTENCE_ENDS = '.,;:!?)]}*_~'

function withoutEnd(link: string): string {
  let end = link.length
  while (end > 0 && SENTENCE_ENDS.includes(link[end - 1] ?? ' ')) end -= 1
  return link.slice(0, end)
}

const withScheme = (link: string): string => (/^https?:\/\//i.test(link) ? link : `https://${link}`)

/** `docs.example.org` of an address, in small letters and without `www.`. */
export const linkHost = (url: string): string =>
  (/^https?:\/\/([^/?#:]+)/i.exec(url)?.[1] ?? '').toLowerCase().replace(/^www\./, '')

/** A host as a person writes it down (`https://Example.org/x`, `*.example.org`), or `undefined` when it is none. */
export function blockedHost(written: string): string | undefined {
  const bare = written
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^(?:\*\.|www\.)/, '')
  const host = bare.split(/[/?#:]/, 1)[0] ?? ''
  return /^(?:[\p{L}\p{N}-]{1,63}\.)+\p{L}{2,24}$/u.test(host) ? host : undefined
}

type PreviewPlace = { readonly account: string; readonly cid: string }

/** Does anyone look at this link: yes, no, or not before the person was asked. */
export function previewDecision(
  url: string,
  { mode, channels, blocked }: LinkPreviewChoices,
  { account, cid }: PreviewPlace,
): 'look' | 'ask' | 'no' {
  const host = linkHost(url)
  if (blocked.some((name) => host === name || host.endsWith(`.${name}`))) return 'no'
  const here = channels[account]?.[cid]
  if (here !== undefined) return here ? 'look' : 'no'
  return mode === 'on' ? 'look' : mode === 'ask' ? 'ask' : 'no'
}

/** The choices with those of one channel changed. */
export function withChannel(
  choices: LinkPreviewChoices,
  { account, cid }: PreviewPlace,
  on: boolean | undefined,
): LinkPreviewChoices {
  const { [cid]: _before, ...others } = choices.channels[account] ?? {}
  const own = on === undefined ? others : { ...others, [cid]: on }
  return { ...choices, channels: { ...choices.channels, [account]: own } }
}

/** A link of a composition and how far its preview is. */
export type PreviewEntry = {
  readonly url: string
  readonly state: LinkPreviewState
  readonly preview?: LinkPreview
}

type PreviewPlan = {
  readonly entries: readonly PreviewEntry[]
  /** Addresses to ask about now. */
  readonly look: readonly string[]
  /** Addresses no one waits for any more. */
  readonly stop: readonly string[]
}

const sameLink = (one: string, other: string): boolean => one.replace(/\/$/, '') === other.replace(/\/$/, '')

/**
 * What becomes of the previews when the writer has paused: links that are still there keep theirs (also with a slash at
 * the end), those that left take theirs along, new ones are looked at, or wait while there is no connection. What was
 * dismissed stays dismissed, also when the text is empty for a while. See docs/wire.md 7.19.
 */
export function planPreviews(
  held: readonly PreviewEntry[],
  links: readonly string[],
  { online }: { readonly online: boolean },
): PreviewPlan {
  const known = (url: string) => held.find((entry) => sameLink(entry.url, url))
  const dismissed = held.filter(
    (entry) => entry.state === 'dismissed' && !links.some((url) => sameLink(url, entry.url)),
  )
  const look: string[] = []
  const entries = links.map((url): PreviewEntry => {
    const entry = known(url)
    if (entry !== undefined && (entry.state !== 'pending' || !online)) return entry
    if (!online) return { url, state: 'pending' }
    look.push(url)
    return { url, state: 'loading' }
  })
  const stop = held
    .filter((entry) => entry.state === 'loading' && !links.some((url) => sameLink(url, entry.url)))
    .map((entry) => entry.url)
  return { entries: [...entries, ...dismissed], look, stop }
}

/** What goes along with the message. See docs/wire.md 7.16, step 5. */
export function previewsToSend(
  held: readonly PreviewEntry[],
  links: readonly string[],
): { readonly urls: readonly string[]; readonly skipEnrich: boolean } {
  const isThere = (entry: PreviewEntry) => links.some((url) => sameLink(url, entry.url))
  const loaded = held.filter((entry) => entry.state === 'loaded' && isThere(entry))
  const isLoading = held.some((entry) => entry.state === 'loading' && isThere(entry))
  const isDismissed = held.some((entry) => entry.state === 'dismissed' && isThere(entry))
  return {
    urls: isLoading ? [] : loaded.map((entry) => entry.url),
    skipEnrich: isDismissed || (loaded.length > 0 && !isLoading),
  }
}
