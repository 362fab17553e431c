import { useRef, useState } from 'react'
import { nanoid } from '@reduxjs/toolkit'
import type { ManageRight } from '#shared/domain/manage/manage.ts'
import type { BanTerms, PendingDecision, ReviewAction, ReviewItem } from '#shared/domain/manage/review.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { noticeRaised } from '../../../store/window/notices.ts'
import { changedSince, rememberDone, UNDO_MS } from '../../../store/window/recent.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { discardItem, retryItem } from '../../outbox/index.ts'
import { useManage } from '../state.ts'
import { decide, MOST_AT_ONCE, undoDecisions } from './commands.ts'
import type { Queue } from './use-queue.ts'
import { useWords } from './words.ts'

type Options = {
  readonly rows: readonly ReviewItem[]
  readonly decided: boolean
  readonly pending: ReadonlyMap<string, PendingDecision>
  readonly actions: Queue['actions']
  readonly onNext: (id: string) => void
  readonly onDone: () => void
}

export type Decisions = {
  /** Why an action is not possible for these items; absent: it is. */
  readonly refusal: (action: ReviewAction, items: readonly ReviewItem[]) => string | undefined
  /** Whether this server does such a thing with these items at all. */
  readonly offers: (action: ReviewAction, items: readonly ReviewItem[]) => boolean
  /** Decides, after a question where it cannot be undone or needs terms. */
  readonly start: (action: ReviewAction, items: readonly ReviewItem[], how?: { readonly shadow: boolean }) => void
  readonly mute: (item: ReviewItem) => void
  /** Takes back a queued decision, or dismisses a refused one. */
  readonly takeBack: (decision: PendingDecision) => Promise<void>
  readonly retry: (decision: PendingDecision) => void
  readonly undoLast: () => Promise<void>
  /** What has to be answered before something is decided. */
  readonly question: Question | undefined
  readonly answer: (terms?: BanTerms) => void
  readonly cancel: () => void
}

type Question = {
  readonly action: 'ban' | 'delete-forever'
  readonly items: readonly ReviewItem[]
  readonly shadow: boolean
}

const SUMMARY_LENGTH = 120

/** Decisions about the items of the queue: queued at once, sent when there is a connection. */
export function useDecisions(options: Options): Decisions {
  const t = useTexts('review')
  const dispatch = useAppDispatch()
  const last = useRef<readonly string[]>([])
  const [question, setQuestion] = useState<Question>()
  const { offers, refusal } = useLimits(options)
  const apply = useApply(options, (ids) => {
    last.current = ids
  })
  return {
    refusal,
    offers,
    start(action, items, { shadow } = { shadow: false }) {
      if (!offers(action, items)) return
      const why = refusal(action, items)
      if (why !== undefined) return announce(why)
      if (action === 'ban' || action === 'delete-forever') setQuestion({ action, items, shadow })
      else void apply(action, items, action === 'unban' ? { scope: scopeOf(items) } : undefined)
    },
    mute({ authorId }) {
      if (authorId !== undefined) dispatch(dialogOpened({ kind: 'mute', target: { userId: authorId } }))
    },
    async takeBack({ id, state }) {
      if (state === 'refused') await dispatch(discardItem({ id }))
      else await dispatch(undoDecisions([id]))
    },
    retry: ({ id }) => void dispatch(retryItem({ id })),
    async undoLast() {
      const ids = last.current
      if (ids.length === 0) return announce(t('announce.nothingToUndo'))
      last.current = []
      announce(t('announce.undone', { count: await dispatch(undoDecisions(ids)) }))
    },
    question,
    answer(terms) {
      setQuestion(undefined)
      if (question !== undefined) void apply(question.action, question.items, terms)
    },
    cancel: () => setQuestion(undefined),
  }
}

/** What is possible: what the server does, what the viewer may, and what the items allow. */
function useLimits({ actions, pending }: Options): Pick<Decisions, 'offers' | 'refusal'> {
  const t = useTexts('review')
  const manageTexts = useTexts('manage')
  const rights = useManage()?.rights ?? []
  return {
    offers: (action, items) => items.every(({ subject }) => actions[subject].includes(action)) && items.length > 0,
    refusal(action, items) {
      const right = rightFor(action, items)
      if (!rights.includes(right)) return t('why.right', { right: manageTexts(`rights.${right}`) })
      if (items.every(({ id }) => pending.get(id)?.state === 'queued')) return t('why.working')
      if (action === 'restore' && items.every(({ state, caught }) => state !== 'deleted' && caught !== 'hidden'))
        return t('why.notDeleted')
      if ((action === 'delete' || action === 'delete-forever') && items.every(({ state }) => state === 'gone'))
        return t('state.gone')
      if (action === 'ban' && items.every(({ authorId }) => authorId === undefined)) return t('why.noAuthor')
      return undefined
    },
  }
}

function rightFor(action: ReviewAction, items: readonly ReviewItem[]): ManageRight {
  if (action === 'unban') return scopeOf(items) === 'everywhere' ? 'ban-everywhere' : 'ban'
  return action === 'ban' ? 'ban' : 'review'
}

type Apply = (action: ReviewAction, items: readonly ReviewItem[], ban?: BanTerms) => Promise<void>

/** Queues a decision about what can still be decided, says so with Undo, and goes on to the next item. */
function useApply(options: Options, onQueued: (ids: readonly string[]) => void): Apply {
  const { rows, decided, pending, onNext, onDone } = options
  const t = useTexts('review')
  const words = useWords()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const announceNext = useAnnouncing(options)
  const isOpen = ({ id, status }: ReviewItem): boolean =>
    status === (decided ? 'decided' : 'waiting') && pending.get(id)?.state !== 'queued'
  return async (action, items, ban) => {
    const open = items.filter(isOpen)
    const skipped = items.length - open.length
    if (open.length === 0) return announce(t('several.skipped', { count: skipped }))
    const next = nextOf(rows, items, isOpen)
    const ids: string[] = []
    for (let at = 0; at < open.length; at += MOST_AT_ONCE) {
      const part = open.slice(at, at + MOST_AT_ONCE).map(({ id, updatedAt, authorId, text, cid }) => ({
        id,
        seenAt: updatedAt,
        summary: `${words.name(authorId)}: ${text}`.slice(0, SUMMARY_LENGTH),
        cid,
      }))
      const queued = await dispatch(decide({ action, items: part, ban }))
      if (!queued.ok) break
      ids.push(...queued.value.ids)
    }
    if (ids.length === 0) return
    onQueued(ids)
    const code = offline ? 'review/done-queued' : `review/done-${action}`
    if (offline || CAN_UNDO.includes(action)) {
      const undo = async (): Promise<void> => {
        if ((await dispatch(undoDecisions(ids))) === 0) throw changedSince()
      }
      dispatch(rememberDone({ code, noticeMs: UNDO_MS, undo }))
    } else {
      dispatch(
        noticeRaised({
          id: `local-${nanoid()}`,
          code,
          type: 'review:decided',
          severity: 'success',
          createdAt: Date.now(),
          durationMs: UNDO_MS,
        }),
      )
    }
    announceNext(action, ids.length, skipped, next)
    onDone()
    if (next !== undefined) onNext(next.id)
  }
}

/** Those that have an opposite, once they were carried out. */
const CAN_UNDO: readonly ReviewAction[] = ['approve', 'delete', 'ban']

function useAnnouncing({ rows, decided }: Options) {
  const t = useTexts('review')
  const words = useWords()
  const waiting = useManage()?.waiting ?? rows.length
  return (action: ReviewAction, count: number, skipped: number, next: ReviewItem | undefined): void => {
    const done = t('announce.done', {
      what: t(`decisions.${action === 'delete-forever' ? 'delete' : action}`),
      waiting: t('announce.waiting', { count: Math.max(0, waiting - (decided ? 0 : count)) }),
    })
    const skip = skipped === 0 ? '' : t('several.skipped', { count: skipped })
    const follows =
      next === undefined
        ? t('announce.last')
        : t('announce.next', { name: words.name(next.authorId), why: words.why(next) })
    announce([done, skip, follows].filter((part) => part !== '').join(' '))
  }
}

/** The ban that is unbanned: in the channel of the item if there is one, else everywhere. */
const scopeOf = (items: readonly ReviewItem[]): BanTerms['scope'] =>
  items.some(({ cid, bans }) => bans.some((ban) => ban.cid !== undefined && ban.cid === cid)) ? 'channel' : 'everywhere'

/** The item after those that were decided, or else the one before them. */
function nextOf(
  rows: readonly ReviewItem[],
  items: readonly ReviewItem[],
  isOpen: (item: ReviewItem) => boolean,
): ReviewItem | undefined {
  const ids = new Set(items.map(({ id }) => id))
  const at = rows.findLastIndex(({ id }) => ids.has(id))
  const isNext = (row: ReviewItem): boolean => !ids.has(row.id) && isOpen(row)
  return rows.slice(at + 1).find(isNext) ?? rows.slice(0, Math.max(0, at)).findLast(isNext)
}
