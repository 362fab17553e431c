import type { LinkPreview, LinkPreviewChoices, LinkPreviewState } from '../../domain/attachment.ts'

/** Previewed links of one message: the server's limit. */
const MAX_LINK_PREVIEWS = 3
/** A longer URL is not previewed. */
const MAX_LINK_LENGTH = 2_048

const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g
/**
 * With a scheme, or without one if it is unambiguous: a `www.` prefix or a path. A bare `notes.md` is probably a file.
 * The host has a dot and ends with at least two letters. See docs/wire.md 7.19.
 */
const LINK =
  /(?<![\p{L}\p{N}@./-])(?:https?:\/\/(?:[\p{L}\p{N}-]{1,63}\.){1,10}\p{L}{2,24}(?::\d{1,5})?(?![\p{L}\p{N}.@-]*@)(?:[/?#][^\s<>"'`]*)?|www\.(?:[\p{L}\p{N}-]{1,63}\.){1,10}\p{L}{2,24}(?:[/?#][^\s<>"'`]*)?|(?:[\p{L}\p{N}-]{1,63}\.){1,10}\p{L}{2,24}\/[^\s<>"'`]*)/giu

/** The URLs of a text, each once, in order; `https` if no scheme was written. Code is ignored. */
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

/** `docs.example.org` of a URL, in lower case and without `www.`. */
export const linkHost = (url: string): string =>
  (/^https?:\/\/([^/?#:]+)/i.exec(url)?.[1] ?? '').toLowerCase().replace(/^www\./, '')

/** The host as typed by the user (`https://Example.org/x`, `*.example.org`), or `undefined` if it is not a host. */
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

/** Whether this link is previewed: yes, no, or only after asking the user. */
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

/** The choices with one channel's changed. */
export function withChannel(
  choices: LinkPreviewChoices,
  { account, cid }: PreviewPlace,
  on: boolean | undefined,
): LinkPreviewChoices {
  const { [cid]: _before, ...others } = choices.channels[account] ?? {}
  const own = on === undefined ? others : { ...others, [cid]: on }
  return { ...choices, channels: { ...choices.channels, [account]: own } }
}

/** A link of a composition and the state of its preview. */
export type PreviewEntry = {
  readonly url: string
  readonly state: LinkPreviewState
  readonly preview?: LinkPreview
}

type PreviewPlan = {
  readonly entries: readonly PreviewEntry[]
  /** URLs to request now. */
  readonly look: readonly string[]
  /** URLs whose requests are no longer needed. */
  readonly stop: readonly string[]
}

const sameLink = (one: string, other: string): boolean => one.replace(/\/$/, '') === other.replace(/\/$/, '')

/**
 * Updates the previews when the user pauses typing: links still in the text keep theirs (also with a trailing slash),
 * removed links drop theirs, new ones are requested, or stay pending without a connection. A dismissed preview stays
 * dismissed, even if the text is empty for a while. See docs/wire.md 7.19.
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

/** The previews to send with the message. See docs/wire.md 7.16, step 5. */
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
