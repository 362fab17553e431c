import type { Effect, Place } from '#shared/domain/changes.ts'
import type { DeepLink } from '#shared/domain/desktop/desktop.ts'
import type { OwnSound, SoundName, NotificationChoices, NotifyProof } from '#shared/domain/notification.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { ownSound, type LocalTime, quietBy } from '#shared/rules/notifications/notifying.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { CallContext } from '#main/engine/context.ts'
import type { Host, NoticeAction, PowerCapability } from '#main/hosts/host.ts'
import type { AboutArrival } from '#main/engine/features/notifications/about.ts'
import type { Arrivals, ArrivalsOptions } from './arrivals.ts'
import type { Account } from '../accounts/account.ts'
import type { Translate } from '../texts.ts'
import type { CallWindow } from '../windows/windows.ts'

/** Caller of engine calls from notification buttons: not a window. */
export const FROM_SYSTEM: CallContext = { client: 'system-notification' }

/** Runs the action of a notification button; a failure is shown in the windows and stored in their log. */
export function attempt({ engine }: Account, work: () => unknown): void {
  Promise.resolve()
    .then(work)
    .catch((error: unknown) => {
      const code = error instanceof AppError ? error.code : 'internal'
      engine.notify({ code, type: 'local:notification:failed', severity: 'error' })
    })
}

/** Content of a notification, shown by the system or by a window. */
export type NotificationContent = Omit<Extract<Effect, { type: 'notify' }>, 'type' | 'opens'> & {
  /** The target of a click, in its account. */
  readonly opens: Place
  /** Groups notifications: a channel of an account. */
  readonly group?: { readonly id: string; readonly title: string }
  /** Makes no sound. */
  readonly silent: boolean
  /** Stays until the user responds; others disappear after a while. */
  readonly stays?: boolean
  readonly actions?: readonly NoticeAction[]
  readonly reply?: { readonly placeholder: string; readonly onReply: (text: string) => void }
  /** The system has shown it. */
  readonly onShown?: () => void
  /** The system has refused it. */
  readonly onRefused?: () => void
}

/** A notification that belongs to no account: a click on it follows a link. */
export type DeviceNotification = Pick<NotificationContent, 'tag' | 'title' | 'body' | 'silent' | 'sound'> & {
  readonly opens: DeepLink
}

/** Text of other users appears outside of Parlor here: its length is limited and its direction isolated. */
const MAX_TITLE = 64
const MAX_BODY = 240

export type DeliveryOptions = {
  readonly host: Pick<Host, 'notifier'>
  /** Shows a window of this account and runs the effect there. */
  readonly show: (account: Account, place: Place) => void
  /** Sends to every window of this account, which show it if the system cannot. */
  readonly push: (account: Account, effect: Effect) => void
  /** Plays in one window of this account. Returns whether there is one. */
  readonly play: (account: Account, sound: OwnSound) => boolean
  /** Adds the name of the workspace if there are several. */
  readonly titled: (account: Account, title: string) => string
}

/** The only way to show notifications of any kind: by the system, or by windows if it cannot. */
export type Delivery = {
  notify(account: Account, content: NotificationContent): 'shown' | 'in-app'
  withdraw(account: Account, tag: string): void
}

export function createDelivery({ host, show, push, play, titled }: DeliveryOptions): Delivery {
  const { notifier } = host
  /** Whether a window plays the sound; otherwise the system plays its own. */
  const isHandled = (account: Account, sound: SoundName): boolean => {
    const name = ownSound(sound)
    return name !== undefined && play(account, name)
  }
  return {
    notify(account, { tag, title: plain, body: text, opens, reminds, onRefused, ...how }) {
      const title = cleanName(titled(account, plain), MAX_TITLE)
      const body = cleanName(text, MAX_BODY)
      const inApp = (): void =>
        push(account, {
          type: 'notify',
          title,
          body,
          tag,
          opens,
          sound: how.silent ? 'none' : how.sound,
          ...(reminds === undefined ? {} : { reminds }),
        })
      if (!notifier) {
        inApp()
        return 'in-app'
      }
      notifier.show({
        id: tag,
        title,
        body,
        ...how,
        silent: how.silent || how.sound === 'none' || isHandled(account, how.sound),
        onClick: () => show(account, opens),
        onRefused() {
          inApp()
          onRefused?.()
        },
      })
      return 'shown'
    },
    withdraw(account, tag) {
      if (notifier) notifier.withdraw(tag)
      else push(account, { type: 'withdraw', tag })
    },
  }
}

type DeviceDeliveryOptions = {
  readonly host: Pick<Host, 'notifier'>
  /** Opens the target of a link in a window, also while nobody is signed in. */
  readonly follow: (link: DeepLink) => void
  /** Sends to the last window, whatever it shows. */
  readonly push: (effect: Effect) => void
}

/** Shows notifications that belong to no account. */
export function createDeviceDelivery({ host: { notifier }, follow, push }: DeviceDeliveryOptions) {
  return ({ tag, title: plain, body: text, opens: link, ...how }: DeviceNotification): void => {
    const [title, body] = [cleanName(plain, MAX_TITLE), cleanName(text, MAX_BODY)]
    const silent = how.silent || how.sound === 'none'
    const inApp = (): void =>
      push({ type: 'notify', title, body, tag, opens: { type: 'link', link }, sound: silent ? 'none' : how.sound })
    if (notifier) notifier.show({ id: tag, title, body, silent, onClick: () => follow(link), onRefused: inApp })
    else inApp()
  }
}

export const BODY_LENGTH = 140

/** How much of a message may be shown now: nothing while the screen is shared. */
export const shownOf = ({
  preview,
  presenting,
}: Pick<NotificationChoices, 'preview' | 'presenting'>): NotificationChoices['preview'] =>
  presenting ? 'nothing' : preview

/** Viewers of a shared screen would hear the sound too. */
export const isSilent = ({ sound, presenting }: Pick<NotificationChoices, 'sound' | 'presenting'>): boolean =>
  !sound || presenting

/** Title and body of one message, reduced to what may be shown. */
export function contentOf(
  about: AboutArrival,
  choices: Pick<NotificationChoices, 'preview' | 'presenting'>,
  translate: Translate,
): { readonly title: string; readonly body: string } {
  const shown = shownOf(choices)
  if (shown === 'nothing') {
    return {
      title: translate('notifications', 'system.hiddenTitle'),
      body: translate('notifications', 'system.hiddenBody'),
    }
  }
  const { author, placeName } = about
  const title = placeName === '' ? author : translate('notifications', 'system.inPlace', { author, place: placeName })
  return {
    title,
    body: shown === 'sender' ? translate('notifications', 'system.hiddenBody') : bodyOf(about, translate),
  }
}

function bodyOf({ message, attachments }: AboutArrival, translate: Translate): string {
  const text = excerpt(message.text, BODY_LENGTH)
  if (text !== '') return text
  const [kind] = attachments
  if (kind === undefined) return translate('notifications', 'system.hiddenBody')
  return translate('notifications', `system.attachments.${kind}`, { count: attachments.length })
}

/** Nothing left to notify of: deleted, or read here or on another device. */
export const isOver = ({ message, place }: AboutArrival): boolean =>
  message.type === 'deleted' || message.createdAt <= place.lastReadAt

const SUNDAY = 7

/** Local time of this device. `at`: epoch milliseconds. */
export function localTime(at: number): LocalTime {
  const date = new Date(at)
  return { at, weekday: date.getDay() === 0 ? SUNDAY : date.getDay(), minute: date.getHours() * 60 + date.getMinutes() }
}

/** Time limit for the system to confirm that a notification is shown. */
const PATIENCE_MS = 3_000

type NotificationCallsOptions = ArrivalsOptions & { readonly arrivals: Arrivals }

/** `notifications.*` of the contract. */
export function notificationCalls(options: NotificationCallsOptions): HandlersOf<'notifications', CallWindow> {
  const { arrivals } = options
  return {
    why: ({ messageId }, { account }) => arrivals.history(signedIn(account)).of(messageId),
    history: (_input, { account }) => arrivals.history(signedIn(account)).all(),
    interruptions: (_input, { account }) => signedIn(account).engine.interruptions(),
    prove: async (_input, { account }) => ({
      outcome: await prove(options, signedIn(account)),
      quiet: heldBackBy(options, signedIn(account)),
    }),
  }
}

/** The strongest reason first, in the order of the notification rules. */
function heldBackBy({ muted, choices, clock }: ArrivalsOptions, account: Account): NotifyProof['quiet'] {
  if (muted(account)) return 'account'
  if (choices().level === 'none') return 'level'
  return quietBy(choices(), localTime(clock.now()))
}

function signedIn(account: CallWindow['account']): Account {
  const known = account()
  if (!known) throw new AppError('session/signed-out')
  return known
}

function prove(
  { delivery, translate, choices, clock }: ArrivalsOptions,
  account: Account,
): Promise<NotifyProof['outcome']> {
  return new Promise((resolve) => {
    const outcome = delivery.notify(account, {
      tag: `${account.key} test`,
      title: translate('notifications', 'system.proofTitle'),
      body: translate('notifications', 'system.proofBody'),
      opens: { type: 'command', action: 'settings' },
      silent: !choices().sound,
      sound: choices().sounds.meant,
      onShown: () => resolve('shown'),
      onRefused: () => resolve('refused'),
    })
    if (outcome === 'in-app') resolve('in-app')
    else clock.after(PATIENCE_MS, () => resolve('silence'))
  })
}

/** The notification settings; without message text while the screen or Parlor is locked, but with sound. */
export function choicesWhenLocked(
  power: PowerCapability | undefined,
  chosen: () => NotificationChoices,
  isLocked: () => boolean = () => false,
): () => NotificationChoices {
  let locked = false
  power?.onLock(() => void (locked = true))
  power?.onUnlock(() => void (locked = false))
  return () => (locked || isLocked() ? { ...chosen(), preview: 'nothing' } : chosen())
}

type ReplyPlace = { readonly cid: Cid; readonly parentId?: MessageId }

const REMIND_AFTER_MS = 60 * 60_000

/** Actions on a message from its notification: reply, mark as read, remind in an hour. */
export function answersTo(
  account: Account,
  { id, about, translate }: { readonly id: MessageId; readonly about: AboutArrival; readonly translate: Translate },
): Pick<NotificationContent, 'actions' | 'reply'> {
  const { engine } = account
  const { channels, reminders, threads } = engine.handlers
  const { cid, parentId, message } = about
  const place: ReplyPlace = message.onlyInThread && parentId !== undefined ? { cid, parentId } : { cid }
  const text = (key: string): string => translate('notifications', `system.${key}`)
  const markRead = (): unknown =>
    place.parentId !== undefined
      ? threads.markRead({ cid, parentId: place.parentId }, FROM_SYSTEM)
      : channels.markRead({ cid }, FROM_SYSTEM)
  return {
    actions: [
      { label: text('markRead'), run: () => attempt(account, markRead) },
      {
        label: text('remind'),
        run: () =>
          attempt(account, () =>
            reminders.set({ messageId: id, remindAt: engine.serverNow() + REMIND_AFTER_MS }, FROM_SYSTEM),
          ),
      },
    ],
    reply: {
      placeholder: text('reply'),
      onReply: (written) => attempt(account, () => sendReply(account, place, written)),
    },
  }
}

/** A reply that cannot be sent is appended to the draft, so that neither text is lost; the windows show the reason. */
export async function sendReply(account: Account, place: ReplyPlace, text: string): Promise<void> {
  const { engine } = account
  const { messages } = engine.handlers
  const none = { showInChannel: false, uploadIds: [] }
  try {
    await messages.send(
      { ...place, ...none, text, mentionedUserIds: [], files: [], whenReady: false, keepsDraft: true },
      FROM_SYSTEM,
    )
  } catch (error) {
    await saveReply(account, place, text)
    throw error
  }
}

/** Appends to the draft of the place: without the PIN nothing is sent. */
export async function saveReply({ engine }: Account, place: ReplyPlace, text: string): Promise<void> {
  await engine.handlers.drafts.add({ ...place, text }, FROM_SYSTEM)
}

/** Account key, cid and thread in a notification's id, as `arrivals.ts` writes it; a system may add other text. */
const ID = /((?:demo|own|hosted)-[0-9a-f]{24}) ([\w-]{1,64}:[\w!-]{1,64})(?: ([\w-]{1,255}))?/

/** The place of a notification from an earlier run; absent if it had none. */
export function placeOfNotification(
  id: string,
): { readonly account: string; readonly cid: string; readonly parentId?: string } | undefined {
  const [, account, cid, parentId] = ID.exec(id) ?? []
  if (account === undefined || cid === undefined) return undefined
  return { account, cid, parentId }
}
