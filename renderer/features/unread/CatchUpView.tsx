import { CATCH_UP_GROUPS, type CatchUpGroup, type CatchUpPage } from '#shared/domain/unread.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { useDelayed, useMinute } from '../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector, useConnection, useSetting, useWindow } from '../../store/hooks.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { catchUpChosen } from '../../store/window/views.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Segments } from '../../ui/Choice/Choice.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Empty, Skeleton } from '../../ui/View/Empty.tsx'
import { View } from '../../ui/View/View.tsx'
import { LoadingText, SKELETON_DELAY_MS, Unanswered } from '../connection/index.ts'
import { channelTitle, markAllRead, PlaceTabs } from '../sidebar/index.ts'
import { CatchUpGroups, GROUP_ICONS } from './CatchUpRows.tsx'
import { UnreadPlaces, usePlaces } from './Places.tsx'
import { SinceCard, sinceTime, sliderStart } from './SinceCard.tsx'
import { type Entry, useCatchUp, useOlder } from './use-catch-up.ts'
import styles from './CatchUp.module.css'

type Props = {
  /** Only this channel, from this time: as a digest opens it. */
  readonly cid?: Cid
  readonly since?: number
  /** Below 640 px: goes back to the list. */
  readonly onBack?: () => void
}

/** What matters since a time, across channels, and every unread conversation. Viewing does not mark anything read. */
export function CatchUpView({ cid, since: digestSince, onBack }: Props) {
  const t = useTexts('unread')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const now = useMinute()
  const chosen = useAppSelector(({ views }) => views.catchUp)
  const since = digestSince === undefined ? chosen.since : { kind: 'at' as const, at: digestSince }
  const at = sinceTime(since, now)
  const unread = cid === undefined && chosen.unread
  const list = useCatchUp({ since: at, barsFrom: sliderStart(at, now), unread, cid })
  const places = usePlaces()
  const someLeft = places.rows?.some(({ isDone }) => !isDone) === true
  const entries = list.entries ?? []
  const shown = chosen.group !== 'all' && entries.some(({ item }) => item.group === chosen.group) ? chosen.group : 'all'
  return (
    <View
      icon="inbox"
      title={t('catchUp.title')}
      subtitle={list.page === undefined ? undefined : summary(t, entries.length, list.page.total)}
      back={onBack === undefined ? undefined : { label: common('back'), onPress: onBack }}
      banner={<PlaceTabs of="catch-up" />}
      actions={
        someLeft && cid === undefined ? (
          <Button size="small" icon="check-double" onClick={() => void dispatch(markAllRead())}>
            {t('catchUp.all')}
          </Button>
        ) : undefined
      }
    >
      <div className={styles['column']}>
        <SinceCard
          since={since}
          now={now}
          bars={list.page?.bars}
          onChange={(next, moved) => {
            if (moved) list.announceNext()
            dispatch(catchUpChosen({ since: next }))
            // The choice replaces the time of the digest.
            if (digestSince !== undefined) dispatch(routeOpened({ view: 'catch-up', cid }))
          }}
        />
        <div className={styles['modes']}>
          {cid === undefined ? (
            <Segments
              label={t('modes.label')}
              value={unread ? 'unread' : 'everything'}
              choices={[
                { value: 'unread', label: t('modes.unread') },
                { value: 'everything', label: t('modes.everything') },
              ]}
              onChange={(value) => dispatch(catchUpChosen({ unread: value === 'unread' }))}
            />
          ) : (
            <OneChannel cid={cid} since={digestSince} />
          )}
          <Pills entries={entries} cut={list.page?.cut ?? []} shown={shown} />
        </div>
        {list.page === undefined ? null : <Reach page={list.page} since={at} again={list.again} />}
        {list.failed ? (
          <Note
            icon="alert-circle"
            text={t('reach.failed')}
            action={common('connection.tryNow')}
            onAction={list.again}
          />
        ) : null}
        <Results list={list} places={places} shown={shown} cid={cid} unread={unread} />
      </div>
    </View>
  )
}

/** Reactions, replies and pins are not among the new messages: then there is nothing to count them against. */
function summary(t: ReturnType<typeof useTexts<'unread'>>, shown: number, total: number): string | undefined {
  if (shown === 0 && total === 0) return undefined
  return shown > total ? t('catchUp.summaryAlone', { count: shown }) : t('catchUp.summary', { shown, count: total })
}

type ResultsProps = {
  readonly list: ReturnType<typeof useCatchUp>
  readonly places: ReturnType<typeof usePlaces>
  readonly shown: CatchUpGroup | 'all'
  readonly cid: Cid | undefined
  readonly unread: boolean
}

/** The groups and the unread conversations, or why there are none. */
function Results({ list, places, shown, cid, unread }: ResultsProps) {
  const t = useTexts('unread')
  const isUnanswered = useWindow('channels')?.unanswered === true
  const still = useConnection().stillLoading?.find((part) => part === 'channels' || part === 'messages')
  const missing = still ?? (isUnanswered ? 'channels' : undefined)
  const entries = list.entries ?? []
  const isAnswered = list.entries !== undefined
  const isComplete = list.page?.short.length === 0
  const hasNoPlaces = cid !== undefined || places.rows?.length === 0
  if (!isAnswered && !list.failed && (hasNoPlaces || places.rows === undefined)) return <Loading />
  if (entries.length === 0 && hasNoPlaces) {
    if (missing !== undefined) return <Unanswered part={missing} />
    if (!list.failed && isComplete) return <AllDone unread={unread} />
  }
  return (
    <>
      {isAnswered && entries.length === 0 ? (
        <p className={styles['keys']}>{t(isComplete ? 'catchUp.nothing' : 'catchUp.nothingHere')}</p>
      ) : null}
      <CatchUpGroups
        entries={shown === 'all' ? entries : entries.filter(({ item }) => item.group === shown)}
        cut={list.page?.cut ?? []}
        onDone={list.done}
        onUndo={list.undo}
      />
      {cid === undefined && shown === 'all' ? <UnreadPlaces places={places} /> : null}
      <Legend />
    </>
  )
}

function Legend() {
  const t = useTexts('unread')
  const letterKeys = useSetting('letterKeys')
  return <p className={styles['keys']}>{t(letterKeys ? 'catchUp.keys' : 'catchUp.keysPlain')}</p>
}

/** The channel that is shown alone, with a way back to all. */
function OneChannel({ cid, since }: { readonly cid: Cid; readonly since: number | undefined }) {
  const t = useTexts('unread')
  const dispatch = useAppDispatch()
  const name = useAppSelector((state) => channelTitle(state, cid))
  return (
    <Button
      size="small"
      icon="x"
      onClick={() => {
        if (since !== undefined) dispatch(catchUpChosen({ since: { kind: 'at', at: since } }))
        dispatch(routeOpened({ view: 'catch-up' }))
      }}
    >
      {name === '' ? t('modes.showAll') : t('modes.only', { name })}
    </Button>
  )
}

function Loading() {
  const t = useTexts('unread')
  const late = useDelayed(true, SKELETON_DELAY_MS)
  if (!late) return null
  return (
    <>
      <LoadingText what={t('mentions.looking')} />
      <div className={styles['loading']}>
        {[0, 1, 2].map((row) => (
          <div key={row} className={styles['row']}>
            <Skeleton width={32} height={32} arch />
            <div className={styles['body']}>
              <Skeleton width="35%" />
              <Skeleton width="80%" />
            </div>
          </div>
        ))}
      </div>
    </>
  )
}

function AllDone({ unread }: { readonly unread: boolean }) {
  const t = useTexts('unread')
  const dispatch = useAppDispatch()
  return (
    <Empty
      scene="done"
      title={t('catchUp.empty')}
      action={
        unread ? (
          <Button onClick={() => dispatch(catchUpChosen({ unread: false }))}>{t('modes.showAll')}</Button>
        ) : undefined
      }
    >
      {t(unread ? 'catchUp.emptyText' : 'catchUp.nothing')}
    </Empty>
  )
}

type PillsProps = {
  readonly entries: readonly Entry[]
  readonly cut: readonly CatchUpGroup[]
  readonly shown: CatchUpGroup | 'all'
}

/** What is shown, with counts. */
function Pills({ entries, cut, shown }: PillsProps) {
  const t = useTexts('unread')
  const dispatch = useAppDispatch()
  const { number } = useFormats()
  const countOf = (group: CatchUpGroup | 'all'): number =>
    entries.filter(({ item, state }) => state !== 'done' && (group === 'all' || item.group === group)).length
  const groups = CATCH_UP_GROUPS.filter((group) => entries.some(({ item }) => item.group === group))
  const pills = ['all', ...groups] as const
  const roving = useRoving({ ids: pills, orientation: 'horizontal', wrap: true, initialId: shown })
  const { ref, ...listeners } = roving.containerProps
  if (groups.length === 0) return null
  return (
    <div
      ref={(element) => {
        ref.current = element
      }}
      role="toolbar"
      aria-label={t('groups.filter')}
      className={styles['pills']}
      {...listeners}
    >
      {pills.map((group) => (
        <button
          key={group}
          type="button"
          className={styles['pill']}
          aria-pressed={group === shown}
          {...roving.itemProps(group)}
          onClick={() => dispatch(catchUpChosen({ group }))}
        >
          {group === 'all' ? null : <Icon name={GROUP_ICONS[group]} size={15} />}
          {t(`groups.${group}`)}{' '}
          <span className={styles['count']}>
            {number(countOf(group))}
            {(group === 'all' ? cut.length > 0 : cut.includes(group)) ? '+' : ''}
          </span>
        </button>
      ))}
    </div>
  )
}

type ReachProps = { readonly page: CatchUpPage; readonly since: number; readonly again: () => void }

/** How far back this device knows, and as of when. */
function Reach({ page: { short, asOf }, since, again }: ReachProps) {
  const t = useTexts('unread')
  const { timeOrDay } = useFormats()
  const now = useMinute()
  const { state } = useConnection()
  const older = useOlder(again, short)
  const isFailed = older.failed.length > 0
  const text = useShortText(short)
  const cids = (isFailed ? older.failed : short.map(({ cid }) => cid)).slice(0, 200)
  return (
    <>
      {asOf === undefined ? null : (
        <Note icon="cloud-off" tone="warning" text={t('reach.offline', { time: timeOrDay(asOf, now) })} />
      )}
      {short.length === 0 ? null : (
        <Note
          icon={isFailed ? 'alert-circle' : 'info'}
          tone={isFailed ? 'warning' : undefined}
          text={isFailed ? t('reach.notLoaded', { count: older.failed.length }) : text}
          action={state === 'healthy' ? t(isFailed ? 'reach.again' : 'reach.load') : undefined}
          working={older.isLoading}
          onAction={() => void older.load(cids, since)}
        />
      )}
    </>
  )
}

/** Which conversations begin later than asked for, or lack their newest messages. */
function useShortText(short: CatchUpPage['short']): string {
  const t = useTexts('unread')
  const { dayAndTime } = useFormats()
  const [only] = short
  const name = useAppSelector((store) => (only === undefined ? '' : channelTitle(store, only.cid)))
  const begins = short.flatMap(({ from }) => from ?? [])
  if (begins.length < short.length)
    return short.length === 1 ? t('reach.noneOfOne', { name }) : t('reach.noneOfSome', { count: short.length })
  const time = dayAndTime(Math.max(0, ...begins))
  return short.length === 1 ? t('reach.one', { name, time }) : t('reach.several', { count: short.length, time })
}

type NoteProps = {
  readonly icon: 'info' | 'alert-circle' | 'cloud-off'
  readonly tone?: 'warning'
  readonly text: string
  readonly action?: string
  readonly working?: boolean
  readonly onAction?: () => void
}

function Note({ icon, tone, text, action, working = false, onAction }: NoteProps) {
  return (
    <div className={cx(styles['note'], tone && styles[tone])} role="status">
      <Icon name={icon} size={18} />
      <span>{text}</span>
      {action === undefined ? null : (
        <Button size="small" working={working} onClick={onAction}>
          {action}
        </Button>
      )}
    </div>
  )
}
