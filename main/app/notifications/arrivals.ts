import type {
  NotificationChoices,
  NotifyCause,
  NotifyDecision,
  NotifyStep,
  NotifyRecord,
} from '#shared/domain/notification.ts'
import type { Message } from '#shared/domain/message.ts'
import type { MessageId, Cid } from '#shared/lib/brand.ts'
import {
  burstForm,
  withNotification,
  type RecentNotifications,
  decideNotification,
  isQuiet,
  notifiesOfInvitation,
  soundOfMessage,
} from '#shared/rules/notifications/notifying.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import type { InviteArrival } from '#shared/domain/channel.ts'
import type { AboutArrival } from '#main/engine/features/notifications/about.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import { isInventedId } from '../active-people/active-people.ts'
import { type Account, sessionOf } from '../accounts/account.ts'
import type { Translate } from '../texts.ts'
import {
  contentOf,
  isSilent,
  shownOf,
  localTime,
  isOver,
  type Delivery,
  attempt,
  FROM_SYSTEM,
  answersTo,
} from './delivery.ts'

const CHECK_EVERY_MS = 60_000

type SummaryOptions = {
  readonly account: Account
  readonly delivery: Delivery
  readonly translate: Translate
  readonly choices: () => NotificationChoices
  readonly clock: Pick<Clock, 'now' | 'after'>
}

/**
 * Counts messages that only quiet hours held back, and notifies of their number when those end; the notification opens the
 * inbox. Messages read meanwhile are not counted.
 */
function createSummary(options: SummaryOptions): { add(id: MessageId): void; stop(): void } {
  const { account, delivery, translate, choices, clock } = options
  let heldBack = new Set<MessageId>()
  let timer: Stop | undefined

  function check(): void {
    timer = undefined
    if (isQuiet(choices(), localTime(clock.now()))) {
      timer = clock.after(CHECK_EVERY_MS, check)
      return
    }
    const waiting = [...heldBack]
      .flatMap((id) => account.engine.aboutArrival(id) ?? [])
      .filter((about) => !isOver(about))
    heldBack = new Set()
    if (waiting.length === 0) return
    delivery.notify(account, {
      tag: `${account.key} summary`,
      title: translate('notifications', 'system.summary', { count: waiting.length }),
      body: translate('notifications', 'system.open'),
      opens: { type: 'command', action: 'catchUp' },
      silent: true,
      sound: 'none',
    })
  }

  return {
    add(id) {
      heldBack.add(id)
      timer ??= clock.after(CHECK_EVERY_MS, check)
    },
    stop() {
      timer?.()
    },
  }
}

export type ArrivalsOptions = {
  readonly delivery: Delivery
  readonly translate: Translate
  readonly choices: () => NotificationChoices
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'after'>
  /** Requests attention on the system's icon if Parlor is not focused. */
  readonly draw: (how: 'once' | 'until-opened') => void
  /** Parlor is locked: notifications offer no replies. */
  readonly isLocked?: () => boolean
  /** Whether the account is muted. */
  readonly muted: (account: Account) => boolean
}

type ToNotify = {
  readonly id: MessageId
  readonly about: AboutArrival
  readonly cause: NotifyCause | undefined
  readonly recent: RecentNotifications
  readonly shownTags: Shown
}

/** Reasons that hold a message back now, but do not withdraw a notification already shown. */
const TEMPORARY: ReadonlySet<NotifyStep['rule']> = new Set(['watching', 'late', 'quiet'])

/** Shown system notifications by tag, with the messages they represent. */
type Shown = Map<string, Set<MessageId>>

/**
 * Notifies of new messages: one notification per channel, replaced by the next message of that channel; a burst becomes a
 * count. Notifications of messages that were read or deleted, or that no longer concern the viewer, are withdrawn.
 */
export class Arrivals {
  readonly #options: ArrivalsOptions
  readonly #histories = new WeakMap<Account, History>()
  /** Withdraws the shown notifications of each watched account. */
  readonly #hiding = new Set<() => void>()

  constructor(options: ArrivalsOptions) {
    this.#options = options
  }

  /** Why the last messages of an account caused a notification, or not. */
  history(account: Account): History {
    const known = this.#histories.get(account) ?? createHistory()
    this.#histories.set(account, known)
    return known
  }

  /** The system no longer shows any earlier notification. */
  hide(): void {
    for (const hide of this.#hiding) hide()
  }

  watch(account: Account): Stop {
    const shownTags: Shown = new Map()
    const summary = createSummary({ ...this.#options, account })
    const invitations = watchInvitations(account, this.#options)
    const hide = (): void => {
      for (const tag of shownTags.keys()) this.#options.delivery.withdraw(account, tag)
      shownTags.clear()
      invitations.hide()
    }
    this.#hiding.add(hide)
    let content: RecentNotifications = []
    const stop = account.engine.onCommitted((commit) => {
      if (shownTags.size > 0) this.#withdraw(account, shownTags)
      for (const message of commit.arrived) content = this.#consider(account, message, { shownTags, summary, content })
    })
    return () => {
      stop()
      invitations.stop()
      summary.stop()
      hide()
      this.#hiding.delete(hide)
    }
  }

  #consider(
    account: Account,
    { id }: Message,
    {
      shownTags,
      summary,
      content,
    }: { shownTags: Shown; summary: ReturnType<typeof createSummary>; content: RecentNotifications },
  ): RecentNotifications {
    const history = this.history(account)
    // Received twice: once live, once by a synchronization.
    const about = history.of(id) ? undefined : account.engine.aboutArrival(id)
    if (!about) return content
    const decision = this.#decide(account, id, about)
    const record = { ...decision, messageId: id, cid: about.cid, at: this.#options.clock.now() }
    if (!decision.notifies) {
      history.note({ ...record, outcome: 'not-shown' })
      if (decision.deferred) summary.add(id)
      return content
    }
    const recent = withNotification(content, about.cid, this.#options.clock.monotonic())
    account.engine.countInterruption(about.cid)
    history.note({ ...record, outcome: this.#notify(account, { id, about, cause: decision.cause, recent, shownTags }) })
    return recent
  }

  #decide(account: Account, id: MessageId, about: AboutArrival): NotifyDecision {
    const { engine, ref } = account
    const { clock, choices } = this.#options
    const inThread = about.message.onlyInThread
    // Invented people write all day: their messages are seen in the window, as those that are sent silently.
    const silent = about.message.silent || (ref.kind === 'demo' && isInventedId(id))
    return decideNotification({ ...about.message, silent }, about.place, choices(), {
      viewerId: ref.userId,
      authorMuted: about.authorMuted,
      accountMuted: this.#options.muted(account),
      watching: engine
        .focuses()
        .some(
          ({ focused, cid, beside, parentId }) =>
            focused && (inThread ? parentId === about.parentId : cid === about.cid || beside === about.cid),
        ),
      now: engine.serverNow(),
      local: localTime(clock.now()),
      account: sidebarKey(sessionOf(ref, account.baseUrl())),
    })
  }

  /** Whether only a temporary reason holds the message back: not read, not deleted, and still worth a notification. */
  #isStillDue(account: Account, id: MessageId, about: AboutArrival): boolean {
    const last = this.#decide(account, id, about).steps.at(-1)
    return last?.stops !== true || TEMPORARY.has(last.rule)
  }

  #notify(account: Account, { id, about, cause, recent, shownTags }: ToNotify): 'shown' | 'in-app' {
    const { delivery, translate, choices, draw } = this.#options
    const chosen = choices()
    const burst = burstForm(recent)
    const everything = burst.form === 'everything'
    const isHidden = shownOf(chosen) === 'nothing'
    const place = about.placeName === '' ? about.author : about.placeName
    const tag = everything ? `${account.key} messages` : tagOf(account, about)
    const opens = everything
      ? ({ type: 'command', action: 'catchUp' } as const)
      : ({
          type: 'focus',
          cid: about.cid,
          messageId: id,
          ...(about.parentId === undefined ? {} : { parentId: about.parentId }),
        } as const)
    shownTags.set(tag, (shownTags.get(tag) ?? new Set()).add(id))
    // The first notification of a burst has been shown.
    if (burst.form === 'one' && chosen.flash !== 'never') draw(chosen.flash)
    return delivery.notify(account, {
      tag,
      opens,
      // Windows shows it as the title of the group.
      group: { id: tag, title: isHidden ? translate('notifications', 'system.hiddenGroup') : place },
      ...(burst.form === 'one'
        ? contentOf(about, chosen, translate)
        : {
            title:
              everything || isHidden
                ? translate('notifications', 'system.everything', { count: burst.count })
                : translate('notifications', 'system.channel', { count: burst.count, place }),
            body: translate('notifications', 'system.open'),
          }),
      // The first notification of a burst has made its sound.
      silent: isSilent(chosen) || burst.form !== 'one',
      sound: soundOfMessage(chosen, cause),
      ...(burst.form === 'one' && !this.#options.isLocked?.() ? answersTo(account, { id, about, translate }) : {}),
      onRefused: () => this.history(account).change(id, 'refused'),
    })
  }

  /** A notification stays while at least one of its messages would still be notified. */
  #withdraw(account: Account, shownTags: Shown): void {
    for (const [tag, ids] of shownTags) {
      // Newest first: if it stays, the others need no check at every commit.
      for (const id of [...ids].toReversed()) {
        const about = account.engine.aboutArrival(id)
        if (about && this.#isStillDue(account, id, about)) break
        ids.delete(id)
        this.history(account).change(id, 'withdrawn')
      }
      if (ids.size > 0) continue
      shownTags.delete(tag)
      this.#options.delivery.withdraw(account, tag)
    }
  }
}

/** One per channel, and one per thread. */
const tagOf = ({ key }: Account, { cid, parentId, message }: AboutArrival): string =>
  message.onlyInThread && parentId !== undefined ? `${key} ${cid} ${parentId}` : `${key} ${cid}`

const HISTORY_LENGTH = 200

/** Decisions about the last messages, newest first. In memory: it only serves to explain them. */
type History = {
  note(record: NotifyRecord): void
  /** The decision changed: the system refused the notification, or it was withdrawn. */
  change(messageId: string, outcome: NotifyRecord['outcome']): void
  of(messageId: string): NotifyRecord | undefined
  all(): readonly NotifyRecord[]
}

function createHistory(): History {
  const records = new Map<string, NotifyRecord>()
  return {
    note(record) {
      records.set(record.messageId, record)
      if (records.size > HISTORY_LENGTH) records.delete(records.keys().next().value ?? '')
    },
    change(messageId, outcome) {
      const known = records.get(messageId)
      if (known) records.set(messageId, { ...known, outcome })
    },
    of: (messageId) => records.get(messageId),
    all: () => [...records.values()].toReversed(),
  }
}

/**
 * Notifies of invitations while no window of the account is focused; they can be answered from the notification or in the
 * window. Once answered anywhere, the notification is withdrawn.
 */
export function watchInvitations(
  account: Account,
  options: ArrivalsOptions,
): { readonly hide: Stop; readonly stop: Stop } {
  const { engine, key } = account
  const { delivery } = options
  const shownCids = new Set<Cid>()
  const withdraw = (cid: Cid): void => {
    shownCids.delete(cid)
    delivery.withdraw(account, tagOfInvitation(key, cid))
  }
  const stop = engine.onCommitted(({ invited }) => {
    if (shownCids.size > 0) {
      const waiting = new Set(engine.invites().map(({ cid }) => cid))
      for (const cid of shownCids) if (!waiting.has(cid)) withdraw(cid)
    }
    for (const invite of invited) {
      if (!isNotified(account, invite, options)) continue
      shownCids.add(invite.cid)
      notify(account, invite, options)
    }
  })
  const hide = (): void => {
    for (const cid of shownCids) withdraw(cid)
  }
  return {
    hide,
    stop() {
      stop()
      hide()
    },
  }
}

function isNotified(
  account: Account,
  { byId, byMuted }: InviteArrival,
  { choices, clock, muted }: ArrivalsOptions,
): boolean {
  return notifiesOfInvitation(choices(), {
    byId,
    authorMuted: byMuted,
    accountMuted: muted(account),
    watching: account.engine.focuses().some(({ focused }) => focused),
    local: localTime(clock.now()),
  })
}

function notify(
  account: Account,
  { cid, name, by }: InviteArrival,
  { delivery, translate, choices, isLocked }: ArrivalsOptions,
): void {
  const chosen = choices()
  const isHidden = shownOf(chosen) === 'nothing'
  const answer = (label: string, accept: boolean) => ({
    label: translate('notifications', label),
    run: () => attempt(account, () => account.engine.handlers.channels.answerInvite({ cid, accept }, FROM_SYSTEM)),
  })
  delivery.notify(account, {
    tag: tagOfInvitation(account.key, cid),
    title:
      isHidden || by === undefined
        ? translate('notifications', 'system.invitation')
        : translate('notifications', 'system.invited', { by }),
    body: isHidden
      ? translate('notifications', 'system.invitationHidden')
      : translate('notifications', 'system.invitedTo', { place: name }),
    opens: { type: 'command', action: 'browse' },
    silent: isSilent(chosen),
    sound: chosen.sounds.meant,
    actions: isLocked?.() ? [] : [answer('system.accept', true), answer('system.decline', false)],
  })
}

const tagOfInvitation = (key: string, cid: Cid): string => `${key} invitation ${cid}`
