import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { nanoid } from '@reduxjs/toolkit'
import type { ReviewAction, ReviewItem, BanTerms, PendingDecision } from '#shared/domain/manage/review.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { ManageRight } from '#shared/domain/manage/manage.ts'
import { useAppDispatch, useSession, useConnection } from '../../../store/hooks.ts'
import type { AppDispatch } from '../../../store/store.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { noticeRaised } from '../../../store/window/notices.ts'
import { changedSince, rememberDone, UNDO_MS } from '../../../store/window/recent.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { loadItems, loadQueue, decide, MOST_AT_ONCE, undoDecisions } from './commands.ts'
import { type ReviewFilters, useWords } from './words.ts'
import { discardItem, retryItem } from '../../outbox/index.ts'
import { useManage } from '../state.ts'

type Actions = { readonly message: readonly ReviewAction[]; readonly person: readonly ReviewAction[] }

type Loaded = {
  /** Identifies what is loaded. */
  readonly of: string
  readonly rows?: readonly ReviewItem[]
  readonly next?: string
  readonly actions?: Actions
  readonly error?: ErrorBody
}

export type Queue = {
  readonly rows: readonly ReviewItem[]
  readonly actions: Actions
  readonly more: boolean
  readonly loading: boolean
  readonly error?: ErrorBody
  /** Changes when there is another page to load. */
  readonly next: () => void
  readonly again: () => void
}

/** The bridge takes this many ids at once. */
const MOST_ASKED = 100

const NO_ACTIONS: Actions = { message: [], person: [] }
const NONE: readonly ReviewItem[] = []

/**
 * The items of one tab. Loads again when `version` rises: what left the list stays in its place, as it is now, while
 * `keeps` says so (it is open or selected); `wanted` items are shown even if the list does not have them.
 */
export function useQueue(
  decided: boolean,
  filters: ReviewFilters,
  version: number,
  keeps: (id: string) => boolean,
  wanted: readonly string[],
): Queue {
  const dispatch = useAppDispatch()
  const me = useSession().userId
  const of = JSON.stringify([decided, filters])
  const [state, setState] = useState<Loaded>({ of })
  const [asked, setAsked] = useState(0)
  const latest = useRef({ run: 0, busy: false, state, filters, keeps })
  useEffect(() => {
    Object.assign(latest.current, { state, filters, keeps })
  })
  const wantedKey = wanted.join(' ')
  useEffect(() => {
    const { current } = latest
    const run = (current.run += 1)
    current.busy = true
    const load = async (): Promise<void> => {
      const known = current.state.of === of ? current.state : undefined
      const loaded = await fetchFirst(dispatch, {
        decided,
        filters: current.filters,
        known,
        keeps: current.keeps,
        wanted: wantedKey === '' ? [] : wantedKey.split(' '),
      })
      if (run !== current.run) return
      current.busy = false
      setState({ ...loaded, of })
    }
    // Loaded again when these rise.
    if (version >= 0 && asked >= 0) void load()
  }, [dispatch, decided, of, version, asked, wantedKey])
  const here = state.of === of ? state : undefined
  const cursor = here?.next
  const loadNext = useCallback(async (): Promise<void> => {
    const { current } = latest
    if (cursor === undefined || current.busy) return
    const run = (current.run += 1)
    current.busy = true
    const loaded = await dispatch(loadQueue({ decided, cursor, ...current.filters }))
    if (run !== current.run) return
    current.busy = false
    setState((before) => {
      if (before.of !== of) return before
      if (!loaded.ok) return { ...before, error: loaded.error }
      const ids = new Set(before.rows?.map(({ id }) => id))
      const rows = [...(before.rows ?? NONE), ...loaded.value.items.filter(({ id }) => !ids.has(id))]
      return { ...before, rows, next: loaded.value.next }
    })
  }, [dispatch, decided, of, cursor])
  const status = decided ? 'decided' : 'waiting'
  const all = here?.rows
  // `keeps` changes with what is open and selected: what has left the list goes once it is neither.
  const rows = useMemo(
    () =>
      (all ?? NONE).filter(
        (row) => row.status === status || (row.decidedById !== me && keeps(row.id)) || wanted.includes(row.id),
      ),
    [all, status, me, keeps, wanted],
  )
  return {
    rows,
    actions: here?.actions ?? NO_ACTIONS,
    more: cursor !== undefined,
    loading: all === undefined && here?.error === undefined,
    error: here?.error,
    next: useCallback(() => void loadNext(), [loadNext]),
    again: useCallback(() => setAsked((times) => times + 1), []),
  }
}

type Wanted = {
  readonly decided: boolean
  readonly filters: ReviewFilters
  readonly known: Loaded | undefined
  readonly keeps: (id: string) => boolean
  readonly wanted: readonly string[]
}

/** The first page, joined with what was loaded behind it and with what stays although it left the list. */
async function fetchFirst(
  dispatch: AppDispatch,
  { decided, filters, known, keeps, wanted }: Wanted,
): Promise<Omit<Loaded, 'of'>> {
  const loaded = await dispatch(loadQueue({ decided, ...filters }))
  if (!loaded.ok) return { rows: known?.rows, next: known?.next, actions: known?.actions, error: loaded.error }
  const { items, next, actions } = loaded.value
  const order = orderOf(decided)
  const last = items.at(-1)
  const fresh = new Set(items.map(({ id }) => id))
  const others = (known?.rows ?? NONE).filter(({ id }) => !fresh.has(id))
  const isBehind = (row: ReviewItem): boolean => next !== undefined && last !== undefined && order(row) <= order(last)
  const tail = others.filter(isBehind)
  const left = others.filter((row) => !isBehind(row) && keeps(row.id)).map(({ id }) => id)
  const ids = [...new Set([...left, ...wanted.filter((id) => !fresh.has(id))])].slice(0, MOST_ASKED)
  const kept = ids.length === 0 ? undefined : await dispatch(loadItems({ ids }))
  const rows = new Map([...tail, ...(kept?.ok ? kept.value : NONE), ...items].map((row) => [row.id, row]))
  return {
    rows: [...rows.values()].toSorted((a, b) => order(b) - order(a)),
    next: tail.length > 0 ? known?.next : next,
    actions,
  }
}

const orderOf =
  (decided: boolean) =>
  ({ createdAt, updatedAt }: ReviewItem): number =>
    decided ? updatedAt : createdAt

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
