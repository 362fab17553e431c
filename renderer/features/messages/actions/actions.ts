import type { Attachment } from '#shared/domain/attachment.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { Message } from '#shared/domain/message.ts'
import type { UserId } from '#shared/lib/brand.ts'
import {
  isForm,
  mayDeleteMessage,
  mayEditMessage,
  mayPin,
  mayQuote,
  mayReact,
  mayReport,
  maySendMessage,
} from '#shared/rules/channels/capabilities.ts'
import { parseChord, type Chord, keysOf } from '../../../lib/text/chords.ts'
import { isShown } from '../../../store/window/overlays.ts'
import type { IconName } from '../../../ui/Icon/Icon.tsx'
import { useHost } from '../../../store/hooks.ts'
import { useChordNow } from '../../../app/keys/shortcuts.tsx'
import { isPicture } from '../../attachments/index.ts'
import { isLinkable } from './copy.ts'

export type ActionId =
  | 'quote'
  | 'thread'
  | 'react'
  | 'edit'
  | 'forward'
  | 'also'
  | 'pin'
  | 'unpin'
  | 'unread'
  | 'save'
  | 'remind'
  | 'select'
  | 'copy'
  | 'markdown'
  | 'picture'
  | 'link'
  | 'details'
  | 'profile'
  | 'why'
  | 'open'
  | 'viewer'
  | 'report'
  | 'retry'
  | 'delete'

/**
 * Icon and shortcut of each action while a row has focus. Used by toolbar, menu, tooltips, key handling and the list of
 * shortcuts. Texts: `messages.json`, `actions.<id>`.
 */
export const ACTIONS: Readonly<Record<ActionId, { readonly icon: IconName; readonly chord?: Chord }>> = {
  quote: { icon: 'reply', chord: 'Q' },
  thread: { icon: 'thread', chord: 'T' },
  react: { icon: 'smile-plus', chord: 'R' },
  edit: { icon: 'pencil', chord: 'E' },
  forward: { icon: 'forward', chord: 'F' },
  also: { icon: 'hash' },
  pin: { icon: 'pin', chord: 'P' },
  unpin: { icon: 'pin-off', chord: 'P' },
  unread: { icon: 'eye-off', chord: 'U' },
  save: { icon: 'bookmark', chord: 'A' },
  remind: { icon: 'alarm', chord: 'M' },
  select: { icon: 'check', chord: 'X' },
  copy: { icon: 'copy', chord: 'Mod+C' },
  markdown: { icon: 'code', chord: 'Mod+Shift+C' },
  picture: { icon: 'image' },
  link: { icon: 'link', chord: 'L' },
  details: { icon: 'info', chord: 'I' },
  profile: { icon: 'user', chord: 'S' },
  why: { icon: 'bell', chord: 'W' },
  open: { icon: 'external-link', chord: 'O' },
  viewer: { icon: 'image', chord: 'V' },
  report: { icon: 'flag' },
  retry: { icon: 'refresh' },
  delete: { icon: 'trash', chord: 'Delete' },
}

/** The rows of the menu of others' messages, and of own ones: what is used often, always in the same order. */
const FIRST_ROWS: readonly ActionId[] = [
  'retry',
  'thread',
  'quote',
  'forward',
  'save',
  'remind',
  'copy',
  'pin',
  'unpin',
  'unread',
]
const FIRST_OWN_ROWS: readonly ActionId[] = [
  'retry',
  'thread',
  'quote',
  'edit',
  'forward',
  'save',
  'remind',
  'copy',
  'delete',
]
/** Everything else, with separators between groups. Reactions are above the rows. */
const MORE_GROUPS: readonly (readonly ActionId[])[] = [
  ['edit', 'also', 'pin', 'unpin', 'unread'],
  ['link', 'markdown', 'picture', 'select'],
  ['open', 'viewer', 'details', 'profile', 'why'],
  ['report', 'delete'],
]

/** The allowed actions as rows of the menu, and as groups of the menu behind "More". */
export function menuRows(
  allowed: ReadonlySet<ActionId>,
  own: boolean,
): { readonly first: readonly ActionId[]; readonly more: readonly (readonly ActionId[])[] } {
  const first = (own ? FIRST_OWN_ROWS : FIRST_ROWS).filter((action) => allowed.has(action))
  const more = MORE_GROUPS.map((group) => group.filter((action) => allowed.has(action) && !first.includes(action)))
  return { first, more: more.filter((group) => group.length > 0) }
}

/** Actions on several messages at once. */
export const BULK_ACTIONS = ['copy', 'markdown', 'forward', 'save', 'delete'] as const satisfies readonly ActionId[]

type Facts = {
  readonly channel: Pick<Channel, 'capabilities' | 'config' | 'frozen'> | undefined
  readonly viewerId: UserId | undefined
  readonly inThread: boolean
  /** A guest can read but has nothing stored on the server. */
  readonly readsOnly?: boolean
}

/** Actions that need an account to store something for or to send as. */
const ACCOUNT_ACTIONS: ReadonlySet<ActionId> = new Set<ActionId>(['remind', 'save', 'forward', 'unread', 'why'])

/** Actions the viewer may currently perform on a message. */
export function actionsFor(
  message: Message,
  { channel, viewerId, inThread, readsOnly = false }: Facts,
): ReadonlySet<ActionId> {
  const allowed = new Set<ActionId>()
  if (message.type === 'deleted' || message.deletedAt !== undefined || message.type === 'system') return allowed
  const own = message.userId === viewerId
  const isAnswer = message.type === 'ephemeral' || message.type === 'error'
  const add = (action: ActionId, when: boolean): void =>
    void (when && !(readsOnly && ACCOUNT_ACTIONS.has(action)) && allowed.add(action))
  const unsent = message.status !== 'received'
  add('copy', message.text !== '' || isForm(message))
  add('markdown', message.text !== '')
  add('picture', pictureOf(message) !== undefined)
  add('select', true)
  add('remind', !isAnswer && message.status !== 'failed')
  add('save', !isAnswer && message.status !== 'failed')
  add('open', hasLink(message))
  add('viewer', message.attachments.some(isShown))
  add('retry', message.status === 'failed' && message.failure?.retryable === true)
  // Visible to the viewer only: deleting just removes it from the screen.
  if (isAnswer) return allowed.add('delete')
  const isLoaded = channel !== undefined
  add('edit', own && (unsent || (isLoaded && mayEditMessage(channel, message, viewerId))))
  add('delete', (own && unsent) || (isLoaded && mayDeleteMessage(channel, message, viewerId)))
  if (unsent) return allowed
  add('quote', isLoaded && mayQuote(channel))
  const hasThread = !readsOnly || (message.thread?.replyCount ?? 0) > 0
  add('thread', !inThread && hasThread && message.parentId === undefined && channel?.config.replies === true)
  add('forward', message.text !== '' || message.attachments.length > 0)
  const inThreadOnly = message.parentId !== undefined && !message.showInChannel
  add('also', own && inThreadOnly && isLoaded && maySendMessage(channel) && mayEditMessage(channel, message, viewerId))
  add('link', isLinkable(message))
  add('details', true)
  add('profile', true)
  add('why', !own)
  add('report', isLoaded && mayReport(channel, message, viewerId))
  add('react', isLoaded && mayReact(channel))
  add(message.pinned ? 'unpin' : 'pin', isLoaded && mayPin(channel))
  // The parent message is not a reply, so it cannot be marked unread in its thread.
  const isParent = inThread && message.parentId === undefined
  add('unread', !own && !isParent && channel?.config.readEvents === true)
  return allowed
}

/** The only picture of a message; with several, undefined, because the media viewer copies the one shown. */
export function pictureOf({ attachments }: Pick<Message, 'attachments'>): Attachment | undefined {
  const [only, ...more] = attachments.filter((attachment) => isPicture(attachment) && attachment.hasMedia)
  return more.length === 0 ? only : undefined
}

/** Whether the text has a link or an attachment previews one. */
const hasLink = ({ text, attachments }: Message): boolean =>
  /\bhttps?:\/\//i.test(text) || attachments.some(({ linkUrl }) => linkUrl !== undefined)

type KeyPress = {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/**
 * The action of a key while a message has focus. On non-Latin layouts letters are matched by key position; keys with Alt
 * or AltGr are for typing.
 */
export function actionOfKey(press: KeyPress, allowed: ReadonlySet<ActionId>): ActionId | undefined {
  return [...allowed].find((action) => matchesChord(press, ACTIONS[action].chord))
}

/** Both Ctrl and Cmd count as `Mod`, and Backspace as Delete. */
function matchesChord(press: KeyPress, chord: Chord | undefined): boolean {
  if (chord === undefined || press.altKey) return false
  const wanted = parseChord(chord)
  if ((press.ctrlKey || press.metaKey) !== wanted.mod || press.shiftKey !== wanted.shift) return false
  if (wanted.key === 'Delete') return press.key === 'Delete' || press.key === 'Backspace'
  return letterOf(press) === wanted.key
}

/** Shift and Delete: deletes without confirmation, but with undo. */
export const isQuickDelete = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyPress): boolean =>
  shiftKey && !ctrlKey && !metaKey && !altKey && (key === 'Delete' || key === 'Backspace')

/** Index of the quick reaction for keys 1 to 6; `undefined` for any other key. */
export function quickReactionOf(press: KeyPress): number | undefined {
  if (press.altKey || press.ctrlKey || press.metaKey || press.shiftKey) return undefined
  return /^[1-6]$/.test(press.key) ? Number(press.key) - 1 : undefined
}

/** The Latin letter of a key on any layout. */
export function letterOf({ key, code }: Pick<KeyPress, 'key' | 'code'>): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : ''
}

/** Shortcut that a browser reserves. */
const BROWSERS_OWN = 'Mod+Shift+C'

/** Current keycaps of an action; empty if the key cannot reach the page. */
export function useKeycaps(): (action: ActionId) => readonly string[] {
  const { os, kind } = useHost()
  const chordNow = useChordNow()
  return (action) => {
    const first = ACTIONS[action].chord
    const chord = first && chordNow('messages', first)
    if (chord === undefined || (chord === BROWSERS_OWN && kind === 'browser')) return []
    if (chord === 'Delete') return [os === 'macos' ? '⌫' : 'Del']
    return keysOf(chord, os)
  }
}
