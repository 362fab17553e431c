import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { BanTerms, ReviewItem } from '#shared/domain/manage/review.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useBreakpoint } from '../../../lib/page/environment.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { Banner } from '../../../ui/Banner/Banner.tsx'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { Listed, Page, Needs } from '../Page.tsx'
import { useManage, useMayManage, useTopic } from '../state.ts'
import { AuthorCard } from './AuthorCard.tsx'
import { refreshQueue } from './commands.ts'
import { Detail } from './Detail.tsx'
import { Filters } from './Filters.tsx'
import { type ReviewFilters, useWords } from './words.ts'
import { QueueList, type ListHandle, ReportsList } from './QueueList.tsx'
import { Several } from './DecisionBar.tsx'
import { useQueue, type Queue, useDecisions, type Decisions } from './use-queue.ts'
import { useReviewKeys } from './Keys.tsx'
import { BanForm, EVERYWHERE, type FilledBan } from '../../people/index.ts'
import styles from './Review.module.css'

type Props = { readonly onBack?: () => void }
type Tab = 'queue' | 'decided' | 'reports'

/** A server that does not notify is asked this often while the page is open. */
const REFRESH_MS = 30_000

/** What people reported and rules caught: what was said, who complained, who the author is, and what to do. */
export function ReviewPage({ onBack }: Props) {
  const t = useTexts('review')
  const [tab, setTab] = useState<Tab>('queue')
  const [filters, setFilters] = useState<ReviewFilters>({})
  const waiting = useManage()?.waiting ?? 0
  const change = (next: Tab): void => {
    setTab(next)
    if (next === 'reports') setFilters(({ authorId: _author, ...rest }) => rest)
  }
  const tabs = (
    <Segments
      label={t('tabs.label')}
      value={tab}
      onChange={change}
      choices={[
        {
          value: 'queue',
          label: t('tabs.queue'),
          count: { value: waiting, name: t('tabs.queueCount', { count: waiting }) },
        },
        { value: 'decided', label: t('tabs.decided') },
        { value: 'reports', label: t('tabs.reports') },
      ]}
    />
  )
  const narrowing = <Filters filters={filters} onChange={setFilters} noAuthor={tab === 'reports'} />
  if (tab === 'reports') {
    return (
      <Page icon="shield" title={t('title')} onBack={onBack} actions={tabs} filters={narrowing}>
        <ReportsList filters={filters} />
      </Page>
    )
  }
  return (
    <QueuePage
      key={tab}
      decided={tab === 'decided'}
      filters={filters}
      tabs={tabs}
      narrowing={narrowing}
      onBack={onBack}
    />
  )
}

type QueueProps = Props & {
  readonly decided: boolean
  readonly filters: ReviewFilters
  readonly tabs: ReactNode
  readonly narrowing: ReactNode
}

const NOTHING: ReadonlySet<string> = new Set()
const NO_IDS: readonly string[] = []

/** What is loaded, open and selected, and what can be done with it. */
function useQueueState(decided: boolean, filters: ReviewFilters) {
  const isNarrow = useBreakpoint() === 'narrow'
  const list = useRef<ListHandle>(null)
  const [openId, setOpenId] = useState<string>()
  const [selected, setSelected] = useState(NOTHING)
  const pendingList = useManage()?.decisions
  const pending = useMemo(() => new Map(pendingList?.map((each) => [each.itemId, each])), [pendingList])
  const [gathered, setGathered] = useState(NO_IDS)
  const wanted = useMemo(() => {
    if (decided) return NO_IDS
    const refused = (pendingList ?? []).filter(({ state }) => state === 'refused').map(({ itemId }) => itemId)
    return [...new Set([...refused, ...gathered.filter((id) => selected.has(id))])]
  }, [decided, pendingList, gathered, selected])
  const keeps = useCallback((id: string) => id === openId || selected.has(id), [openId, selected])
  const queue = useQueue(decided, filters, useTopic('review'), keeps, wanted)
  const { rows, actions } = queue
  const open = rows.find(({ id }) => id === openId) ?? (isNarrow ? undefined : rows[0])
  const goTo = useCallback((id: string): void => {
    setOpenId(id)
    list.current?.focus(id)
  }, [])
  const onDone = (): void => setSelected(NOTHING)
  const gather = (ids: readonly string[]): void => {
    setGathered(ids)
    setSelected(new Set([...(open === undefined ? [] : [open.id]), ...ids]))
  }
  const decisions = useDecisions({ rows, decided, pending, actions, onNext: goTo, onDone })
  const keys = useReviewKeys({ rows, open, selected, onSelect: setSelected, onOpen: goTo, decisions })
  const chosen = rows.filter(({ id }) => selected.has(id))
  return { list, queue, pending, open, setOpenId, goTo, gather, selected, setSelected, chosen, decisions, keys }
}

/** The list at the start, the open item beside it, its author at the end; in a single column one after the other. */
function QueuePage({ decided, filters, tabs, narrowing, onBack }: QueueProps) {
  const t = useTexts('review')
  const words = useWords()
  const isNarrow = useBreakpoint() === 'narrow'
  const [isReading, setReading] = useState(false)
  const isAllowed = useMayManage('review')
  useRefreshing(isAllowed)
  const state = useQueueState(decided, filters)
  const { queue, open, chosen, decisions, selected, setSelected, pending, goTo, gather, list, keys, setOpenId } = state
  const { rows } = queue
  const fact = useFact(decided, queue)
  const several = chosen.length > 0
  const reads = isNarrow && isReading && (open !== undefined || several)
  const detail = several ? (
    <Several items={chosen} rows={rows} more={queue.more} decisions={decisions} onSelect={setSelected} />
  ) : open === undefined ? null : (
    <Detail
      key={open.id}
      item={open}
      rows={rows}
      pending={pending.get(open.id)}
      decisions={decisions}
      onOpen={goTo}
      onGather={gather}
    />
  )
  return (
    <Page
      icon="shield"
      title={reads && open ? words.why(open) : t('title')}
      fact={reads ? undefined : fact}
      onBack={onBack}
      onUp={reads ? () => setReading(false) : undefined}
      actions={reads ? undefined : tabs}
      filters={reads ? undefined : narrowing}
      aside={
        several || open?.authorId === undefined ? undefined : (
          <AuthorCard userId={open.authorId} item={open} onGather={gather} />
        )
      }
    >
      {isAllowed ? null : (
        <Banner icon="lock">
          <b>{t('taken.title')}</b> {t('taken.text')}
        </Banner>
      )}
      <Listed list={queue} empty={emptyOf(t, decided, Object.keys(filters).length > 0)}>
        {/* Keys of single letters act while something in here has the focus. */}
        <div role="presentation" className={styles['columns']} onKeyDown={keys}>
          {reads ? null : (
            <QueueList
              ref={list}
              rows={rows}
              openId={open?.id}
              selected={selected}
              pending={pending}
              decided={decided}
              onOpen={setOpenId}
              onRead={() => setReading(true)}
              onSelect={setSelected}
              onUndo={(decision) => void decisions.takeBack(decision)}
              onEnd={queue.next}
            />
          )}
          {isNarrow && !reads && !several ? null : detail}
        </div>
      </Listed>
      <Questions decisions={decisions} />
    </Page>
  )
}

/** How many wait and since when; of a list that is not loaded to its end only how much is. */
function useFact(decided: boolean, { rows, more }: Pick<Queue, 'rows' | 'more'>): string | undefined {
  const t = useTexts('review')
  const words = useWords()
  const waiting = useManage()?.waiting ?? rows.length
  const oldest = rows.at(-1)
  if (oldest === undefined) return undefined
  if (decided || more) return t('loaded', { count: rows.length })
  return t('fact', { count: waiting, since: words.time(oldest.createdAt) })
}

function emptyOf(t: ReturnType<typeof useTexts<'review'>>, decided: boolean, isFiltered: boolean) {
  if (isFiltered) return { scene: 'search', title: t('empty.found') } as const
  return decided
    ? ({ scene: 'lines', title: t('empty.decided'), children: t('empty.decidedText') } as const)
    : ({ scene: 'done', title: t('empty.queue'), children: t('empty.queueText') } as const)
}

function useRefreshing(isAllowed: boolean): void {
  const dispatch = useAppDispatch()
  useEffect(() => {
    if (!isAllowed) return undefined
    const timer = setInterval(() => void dispatch(refreshQueue(undefined)), REFRESH_MS)
    return () => clearInterval(timer)
  }, [dispatch, isAllowed])
}

/** What has to be answered before something is decided. */
function Questions({ decisions: { question, answer, cancel } }: { readonly decisions: Decisions }) {
  if (question === undefined) return null
  const { action, items, shadow } = question
  if (action === 'ban') {
    return <BanDialog items={items} shadow={shadow} onBan={answer} onClose={cancel} />
  }
  return <DeleteDialog count={items.length} onConfirm={() => answer()} onClose={cancel} />
}

type DeleteDialogProps = { readonly count: number; readonly onConfirm: () => void; readonly onClose: () => void }

/** Asks before messages are deleted for good. */
function DeleteDialog({ count, onConfirm, onClose }: DeleteDialogProps) {
  const t = useTexts('review')
  const common = useTexts('common')
  const safe = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      alert
      width={400}
      title={t('foreverDialog.title', { count })}
      initialFocus={safe}
      onClose={onClose}
      actions={
        <>
          <Button ref={safe} onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button variant="danger" onClick={onConfirm}>
            {t('foreverDialog.confirm')}
          </Button>
        </>
      }
    >
      <DialogText>{t('foreverDialog.text', { count })}</DialogText>
    </Dialog>
  )
}

type BanDialogProps = {
  readonly items: readonly Pick<ReviewItem, 'id' | 'authorId' | 'cid'>[]
  readonly shadow: boolean
  readonly onBan: (terms: BanTerms) => void
  readonly onClose: () => void
}

const CHANNEL = 'channel'
const MINUTE_MS = 60_000

/** Bans the authors, each in the channel of the message or all of them in the whole workspace. */
function BanDialog({ items, shadow, onBan, onClose }: BanDialogProps) {
  const t = useTexts('review')
  const texts = useTexts('profile')
  const words = useWords()
  const mayEverywhere = useMayManage('ban-everywhere')
  const hasChannel = items.every(({ cid }) => cid !== undefined)
  const channel = { value: CHANNEL, label: t(items.length === 1 ? 'banDialog.channel' : 'banDialog.channels') }
  const everywhere = { value: EVERYWHERE, label: texts('banDialog.everywhere') }
  return (
    <BanForm
      title={
        items.length === 1
          ? texts('banDialog.titleOne', { name: words.name(items[0]?.authorId) })
          : t('banDialog.titleMany', { count: items.length })
      }
      confirm={(isShadow) => texts(isShadow ? 'banDialog.shadow' : 'banDialog.confirmNobody')}
      places={[...(hasChannel ? [channel] : []), ...(mayEverywhere || !hasChannel ? [everywhere] : [])]}
      placeNote={mayEverywhere ? null : <Needs right="ban-everywhere">{null}</Needs>}
      offersLater={false}
      startsShadow={shadow}
      disabled={!hasChannel && !mayEverywhere}
      onBan={(filled) => onBan(termsOf(filled))}
      onClose={onClose}
    />
  )
}

/** A decision may wait for a connection: its ban has a length instead of an end. */
const termsOf = ({ place, until, reason, shadow, messages }: FilledBan): BanTerms => ({
  scope: place === EVERYWHERE ? 'everywhere' : 'channel',
  minutes: until === undefined ? undefined : Math.max(1, Math.round((until - Date.now()) / MINUTE_MS)),
  reason: reason === '' ? undefined : reason,
  shadow,
  messages,
})
