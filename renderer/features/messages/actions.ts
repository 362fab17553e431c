import type { Channel } from '#shared/domain/channel.ts'
import type { Message } from '#shared/domain/message.ts'
import type { IconName } from '../../ui/icon-names.ts'

export type ActionId = 'quote' | 'thread' | 'react' | 'edit' | 'pin' | 'unpin' | 'unread' | 'copy' | 'retry' | 'delete'

/** How an action looks and which key does it while a row has focus. Texts: `messages.json`, `actions.<id>`. */
export const ACTIONS: Readonly<Record<ActionId, { readonly icon: IconName; readonly key?: string }>> = {
  quote: { icon: 'reply', key: 'q' },
  thread: { icon: 'thread', key: 't' },
  react: { icon: 'smile-plus', key: 'r' },
  edit: { icon: 'pencil', key: 'e' },
  pin: { icon: 'pin', key: 'p' },
  unpin: { icon: 'pin-off', key: 'p' },
  unread: { icon: 'eye-off', key: 'u' },
  copy: { icon: 'copy' },
  retry: { icon: 'refresh' },
  delete: { icon: 'trash' },
}

/** The menu's order; a gap stands between groups. Source: mock `main-states`. */
export const MENU_GROUPS: readonly (readonly ActionId[])[] = [
  ['retry'],
  ['quote', 'thread', 'react'],
  ['edit', 'pin', 'unpin', 'unread'],
  ['copy'],
  ['delete'],
]

type Facts = {
  readonly channel: Pick<Channel, 'capabilities' | 'config' | 'frozen'> | undefined
  readonly viewerId: string | undefined
  readonly inThread: boolean
}

/** What the viewer may do with a message here and now. */
export function actionsFor(message: Message, { channel, viewerId, inThread }: Facts): ReadonlySet<ActionId> {
  const allowed = new Set<ActionId>()
  if (message.type === 'deleted' || message.deletedAt !== undefined || message.type === 'system') return allowed
  const own = message.userId === viewerId
  const may = (capability: string): boolean => channel?.capabilities.includes(capability) ?? false
  const add = (action: ActionId, when: boolean): void => void (when && allowed.add(action))
  const unsent = message.status !== 'received'
  const open = channel !== undefined && !channel.frozen
  add('copy', message.text !== '')
  add('retry', message.status === 'failed' && message.failure?.retryable === true)
  add('edit', own && (unsent || (open && (may('update-own-message') || may('update-any-message')))))
  add('delete', own ? unsent || may('delete-own-message') || may('delete-any-message') : may('delete-any-message'))
  if (unsent) return allowed
  add('quote', open && channel.config.quotes && (may('quote-message') || may('send-message')))
  add('thread', !inThread && message.parentId === undefined && channel?.config.replies === true)
  add('react', open && channel.config.reactions && may('send-reaction'))
  add(message.pinned ? 'unpin' : 'pin', open && may('pin-message'))
  add('unread', !inThread && !own && channel?.config.readEvents === true)
  return allowed
}

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
 * is not Latin; keys with Alt or AltGr belong to typing. Source: ruling 26.
 */
export function actionOfKey(press: KeyPress, allowed: ReadonlySet<ActionId>): ActionId | undefined {
  if (press.altKey) return undefined
  const letter = letterOf(press)
  if ((press.ctrlKey || press.metaKey) && letter === 'c' && !press.shiftKey)
    return allowed.has('copy') ? 'copy' : undefined
  if (press.ctrlKey || press.metaKey || press.shiftKey) return undefined
  if (press.key === 'Delete' || press.key === 'Backspace') return allowed.has('delete') ? 'delete' : undefined
  return [...allowed].find((action) => ACTIONS[action].key === letter)
}

/** The Latin letter of a key, whatever the layout. */
export function letterOf({ key, code }: Pick<KeyPress, 'key' | 'code'>): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : ''
}
