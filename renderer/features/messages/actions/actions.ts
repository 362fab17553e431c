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
import { parseChord, type Chord } from '../../../lib/text/chords.ts'
import { isShown } from '../../../store/window/overlays.ts'
import type { IconName } from '../../../ui/Icon/icon-names.ts'
import { isPicture } from '../../attachments/index.ts'
import { isLinkable } from './message-link.ts'

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
 * How an action looks and which keys do it while a row has focus. Toolbar, menu, tooltips, keys and the shortcut sheet
 * read it here. Texts: `messages.json`, `actions.<id>`.
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

/** The menu's order; a gap stands between groups. Source: mock `main-states`. */
export const MENU_GROUPS: readonly (readonly ActionId[])[] = [
  ['retry'],
  ['quote', 'thread', 'react', 'forward', 'also'],
  ['edit', 'pin', 'unpin', 'save', 'remind', 'unread', 'select'],
  ['copy', 'markdown', 'picture', 'link'],
  ['open', 'viewer', 'details', 'profile', 'why'],
  ['report', 'delete'],
]

/** What can be done with several messages at once. */
export const BULK_ACTIONS = ['copy', 'markdown', 'forward', 'save', 'delete'] as const satisfies readonly ActionId[]

type Facts = {
  readonly channel: Pick<Channel, 'capabilities' | 'config' | 'frozen'> | undefined
  readonly viewerId: UserId | undefined
  readonly inThread: boolean
  /** A guest: reads, and has nothing that could be kept. */
  readonly readsOnly?: boolean | undefined
}

/** What needs someone to keep it for, or to write as. */
const KEPT: ReadonlySet<ActionId> = new Set<ActionId>(['remind', 'save', 'forward', 'unread', 'why'])

/** What the viewer may do with a message here and now. */
export function actionsFor(
  message: Message,
  { channel, viewerId, inThread, readsOnly = false }: Facts,
): ReadonlySet<ActionId> {
  const allowed = new Set<ActionId>()
  if (message.type === 'deleted' || message.deletedAt !== undefined || message.type === 'system') return allowed
  const own = message.userId === viewerId
  const isAnswer = message.type === 'ephemeral' || message.type === 'error'
  const add = (action: ActionId, when: boolean): void =>
    void (when && !(readsOnly && KEPT.has(action)) && allowed.add(action))
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
  // No one else has it: it is only taken off the screen.
  if (isAnswer) return allowed.add('delete')
  const here = channel !== undefined
  add('edit', own && (unsent || (here && mayEditMessage(channel, message, viewerId))))
  add('delete', (own && unsent) || (here && mayDeleteMessage(channel, message, viewerId)))
  if (unsent) return allowed
  add('quote', here && mayQuote(channel))
  const hasThread = !readsOnly || (message.thread?.replyCount ?? 0) > 0
  add('thread', !inThread && hasThread && message.parentId === undefined && channel?.config.replies === true)
  add('forward', message.text !== '' || message.attachments.length > 0)
  const keptToThread = message.parentId !== undefined && !message.showInChannel
  add('also', own && keptToThread && here && maySendMessage(channel) && mayEditMessage(channel, message, viewerId))
  add('link', isLinkable(message))
  add('details', true)
  add('profile', true)
  add('why', !own)
  add('report', here && mayReport(channel, message, viewerId))
  add('react', here && mayReact(channel))
  add(message.pinned ? 'unpin' : 'pin', here && mayPin(channel))
  // The first message is no reply: it cannot be unread in its thread.
  const isLead = inThread && message.parentId === undefined
  add('unread', !own && !isLead && channel?.config.readEvents === true)
  return allowed
}

/** The one picture of a message. Of several, the viewer copies the one that is looked at. */
export function pictureOf({ attachments }: Pick<Message, 'attachments'>): Attachment | undefined {
  const [only, ...more] = attachments.filter((attachment) => isPicture(attachment) && attachment.hasMedia)
  return more.length === 0 ? only : undefined
}

/** A link in the words or a preview of one. */
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
 * The action a key means while a message has focus. Letters are matched by their place on the keyboard where the layout
 * is not Latin; keys with Alt or AltGr belong to typing.
 */
export function actionOfKey(press: KeyPress, allowed: ReadonlySet<ActionId>): ActionId | undefined {
  return [...allowed].find((action) => isPressOf(press, ACTIONS[action].chord))
}

/** Both Ctrl and Cmd count as `Mod`, and both ways to delete as Delete. */
function isPressOf(press: KeyPress, chord: Chord | undefined): boolean {
  if (chord === undefined || press.altKey) return false
  const wanted = parseChord(chord)
  if ((press.ctrlKey || press.metaKey) !== wanted.mod || press.shiftKey !== wanted.shift) return false
  if (wanted.key === 'Delete') return press.key === 'Delete' || press.key === 'Backspace'
  return letterOf(press) === wanted.key
}

/** Deletes without asking first; taking it back stays possible. */
export const isDeleteAtOnce = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyPress): boolean =>
  shiftKey && !ctrlKey && !metaKey && !altKey && (key === 'Delete' || key === 'Backspace')

/** Which of the quick reactions a press means: 0 for the key 1, up to 5; `undefined` for any other key. */
export function quickReactionOf(press: KeyPress): number | undefined {
  if (press.altKey || press.ctrlKey || press.metaKey || press.shiftKey) return undefined
  return /^[1-6]$/.test(press.key) ? Number(press.key) - 1 : undefined
}

/** The Latin letter of a key, whatever the layout. */
export function letterOf({ key, code }: Pick<KeyPress, 'key' | 'code'>): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : ''
}
