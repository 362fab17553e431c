import { useMemo, useState, useCallback, useEffect, type CSSProperties } from 'react'
import type { SavedHistory } from '#shared/domain/export.ts'
import type { HistoryEntry, HistoryFilter } from '#shared/domain/manage/review.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { ok } from '#shared/lib/app-error.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import { startOfDay, useFormats, useTexts, useErrorText } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useConnection, useAppSelector } from '../../../store/hooks.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Icon, type IconName } from '../../../ui/Icon/Icon.tsx'
import { cx } from '../../../lib/cx.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useVirtualRows } from '../../../lib/page/use-virtual-rows.ts'
import { dialogOpened, placeOpened } from '../../../store/window/ui.ts'
import { Spinner } from '../../../ui/View/Empty.tsx'
import { command } from '../../../store/command.ts'
import { Portrait } from '../../people/index.ts'
import { Versions } from '../../messages/index.ts'
import { Listed, Page, useReturnToRow } from '../Page.tsx'
import { byCursor, usePagesOf, useLoaded } from '../loading.ts'
import { useManage, useMayManage } from '../state.ts'
import { Filters, NO_CHOICE, type Choice } from './Filters.tsx'
import { KINDS, Sentence, useSecondLine, useChangeWords } from './words.tsx'
import styles from './History.module.css'

type Props = {
  /** The person about whom it is shown first. */
  readonly id?: string
  readonly onBack?: () => void
}

/** Entries of the first page. */
const PAGE = 50
const DAY_MS = 86_400_000

/** Who did what, when: bans, deletions, decisions, roles, settings. */
export function HistoryPage({ id, onBack }: Props) {
  const t = useTexts('history')
  const formats = useFormats()
  const [choice, setChoice] = useState<Choice>(() =>
    id === undefined ? NO_CHOICE : { ...NO_CHOICE, target: asUserId(id) },
  )
  const [open, setOpen] = useState<HistoryEntry>()
  const { list, since, keptDays, filter } = useHistory(choice)
  const [saved, setSaved] = useState<SavedHistory>()
  const undoing = useUndo(list.again)
  const { offline } = useConnection()
  const closePanel = useReturnToRow(open?.id, setOpen)
  const shown = list.rows.find(({ id }) => id === open?.id) ?? open
  return (
    <Page
      icon="history"
      title={t('title')}
      fact={since === undefined ? undefined : t('fact', { date: formats.shortDate(since) })}
      onBack={onBack}
      actions={<Export filter={filter} none={list.rows.length === 0} onSaved={setSaved} />}
      filters={<Filters choice={choice} onChange={setChoice} />}
      panel={shown === undefined ? undefined : <EntryPanel entry={shown} onClose={closePanel} />}
      onClosePanel={closePanel}
      foot={
        <>
          {saved === undefined ? null : <Saved saved={saved} onClose={() => setSaved(undefined)} />}
          <p className={styles['note']}>
            <Icon name="info" size={15} />
            <span>
              {t('foot')}
              {keptDays === undefined ? null : <span> {t('kept', { count: keptDays })}</span>}
            </span>
          </p>
        </>
      }
    >
      <Listed
        list={list}
        empty={
          choice === NO_CHOICE
            ? { scene: 'done', title: t('none'), children: t('noneText') }
            : { scene: 'search', title: t('noneFound') }
        }
      >
        <HistoryList
          entries={list.rows}
          openId={shown?.id}
          onOpen={setOpen}
          undoReason={offline ? t('offline') : undefined}
          mayUndo={undoing.may}
          onUndo={(entry) => void undoing.undo(entry)}
          onEnd={list.next}
        />
      </Listed>
    </Page>
  )
}

function useHistory(choice: Choice) {
  const dispatch = useAppDispatch()
  const minute = useMinute()
  const changes = useManage()?.changes
  const filter = useMemo(() => filterOf(choice), [choice])
  const [kept, setKept] = useState<{ readonly since?: number; readonly keptDays?: number }>({})
  const load = useMemo(
    () =>
      byCursor(async (next) => {
        const loaded = await dispatch(loadHistory({ filter, ...(next === undefined ? {} : { next }) }))
        if (!loaded.ok) return loaded
        setKept(loaded.value)
        return ok({ rows: loaded.value.entries, next: loaded.value.next })
      }),
    [dispatch, filter],
  )
  // What is done elsewhere appears within a minute, unless further pages are shown: they would be lost.
  const [loadedAt, setLoadedAt] = useState(minute)
  const version = Object.values(changes ?? {}).reduce((sum, count) => sum + count, 0) + loadedAt / 60_000
  const list = usePagesOf(load, JSON.stringify(filter), version)
  const shown = list.rows.length
  if (shown <= PAGE && loadedAt !== minute) setLoadedAt(minute)
  return { list, since: kept.since, keptDays: kept.keptDays, filter }
}

function filterOf({ by, target, place, kind, date }: Choice): HistoryFilter {
  const today = startOfDay(Date.now())
  const from = { any: undefined, today, week: today - 6 * DAY_MS, month: today - 29 * DAY_MS }[date]
  return {
    ...(by === undefined ? {} : { byId: by }),
    ...(target === undefined ? {} : { targetId: target }),
    ...(place === undefined ? {} : { cid: place }),
    ...(kind === 'all' ? {} : { actions: KINDS[kind] }),
    ...(from === undefined ? {} : { from }),
  }
}

function useUndo(again: () => void) {
  const t = useTexts('history')
  const dispatch = useAppDispatch()
  const mayRestore = useMayManage('people')
  const mayBan = useMayManage('ban')
  const mayBanEverywhere = useMayManage('ban-everywhere')
  const undo = async ({ undo: how, targetId, cid, messageId }: HistoryEntry): Promise<void> => {
    const input =
      how === 'unban' && targetId !== undefined
        ? ({ undo: how, userId: targetId, ...(cid === undefined ? {} : { cid }) } as const)
        : how === 'restore' && messageId !== undefined
          ? ({ undo: how, messageId } as const)
          : undefined
    if (input === undefined) return
    const undone = await dispatch(undoAction(input))
    if (undone.ok) announce(t('undone'))
    again()
  }
  const may = ({ undo: how, cid }: HistoryEntry): boolean =>
    how === 'restore' ? mayRestore : cid === undefined ? mayBanEverywhere : mayBan
  return { undo, may }
}

type ExportProps = {
  readonly filter: HistoryFilter
  readonly none: boolean
  readonly onSaved: (saved: SavedHistory) => void
}

function Export({ filter, none, onSaved }: ExportProps) {
  const t = useTexts('history')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [working, setWorking] = useState(false)
  if (none) return null
  const save = async (): Promise<void> => {
    setWorking(true)
    const done = await dispatch(exportHistory({ filter }))
    setWorking(false)
    if (done.ok && done.value.saved !== undefined) onSaved(done.value.saved)
  }
  return (
    <Button
      icon="download"
      working={working}
      aria-disabled={offline || undefined}
      title={offline ? t('offline') : undefined}
      onClick={() => offline || void save()}
    >
      {t('export')}
    </Button>
  )
}

/** What the exported file contains, and where it is. */
function Saved({ saved, onClose }: { readonly saved: SavedHistory; readonly onClose: () => void }) {
  const t = useTexts('history')
  const common = useTexts('common')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const { messages: count, fileName: file, folderName: folder, from, to, cut } = saved
  return (
    <div className={styles['saved']} role="status">
      <span>
        <bdi>{t('exported', { count, file, folder })}</bdi>
        {from === undefined || to === undefined
          ? null
          : ` ${t('exportedRange', { from: formats.shortDate(from), to: formats.shortDate(to) })}`}
        {cut ? ` ${t('exportedCut')}` : null}
      </span>
      <Button size="small" onClick={() => void dispatch(showFile())}>
        {t('showFile')}
      </Button>
      <IconButton icon="x" size="small" label={common('close')} onClick={onClose} />
    </div>
  )
}

const HEAD_PX = 38
const ROW_PX = 50
/** With a second line that wraps. */
const TALL_ROW_PX = 66
/** What is beside the text of a row, and beside it and Undo, in pixels. */
const BESIDE_PX = 160
const UNDO_PX = 110
/** A character of the second line is rarely wider on average. */
const CHARACTER_PX = 6.2
/** More rows are asked for this many before the end. */
const AHEAD = 10

type Line = { readonly kind: 'day'; readonly at: number } | { readonly kind: 'entry'; readonly entry: HistoryEntry }

type HistoryListProps = {
  readonly entries: readonly HistoryEntry[]
  readonly openId: string | undefined
  readonly onOpen: (entry: HistoryEntry) => void
  /** Why nothing can be undone now; absent: it can. */
  readonly undoReason: string | undefined
  readonly mayUndo: (entry: HistoryEntry) => boolean
  readonly onUndo: (entry: HistoryEntry) => void
  readonly onEnd: () => void
}

/** Entries by day: only those in view are mounted. Arrows move by entry, Enter opens. */
function HistoryList({ entries, openId, onEnd, ...more }: HistoryListProps) {
  const t = useTexts('history')
  const formats = useFormats()
  const now = useMinute()
  const lines = useMemo(() => linesOf(entries), [entries])
  const heights = useCallback((width: number) => lines.map((line) => heightOf(line, width)), [lines])
  const places = useMemo(
    () => new Map(lines.flatMap((line, at) => (line.kind === 'entry' ? [[line.entry.id, at] as const] : []))),
    [lines],
  )
  const ids = useMemo(() => entries.map(({ id }) => id), [entries])
  const { attach, total, shown, styleOf, reveal: revealRow, width } = useVirtualRows({ heights })
  const reveal = useCallback((id: string) => revealRow(places.get(id) ?? 0), [revealRow, places])
  const roving = useRoving({ ids, pageSize: 10, initialId: openId, reveal })
  const { ref, onKeyDown, onFocus } = roving.containerProps
  const isAtEnd = (shown.at(-1) ?? 0) >= lines.length - AHEAD
  useEffect(() => {
    if (isAtEnd && lines.length > 0) onEnd()
  }, [isAtEnd, lines.length, onEnd])
  return (
    <div ref={attach} className={styles['scroll']} data-region="messages">
      <ul
        ref={(element) => {
          ref.current = element
        }}
        className={styles['list']}
        style={{ height: total }}
        aria-label={t('list')}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
      >
        {shown.map((at) => {
          const line = lines[at]
          if (line === undefined) return null
          if (line.kind === 'day') {
            return (
              <li key={`day ${line.at}`} className={styles['day']} style={styleOf(at)}>
                {formats.day(line.at, now)}
              </li>
            )
          }
          return (
            <Entry
              key={line.entry.id}
              entry={line.entry}
              isOpen={line.entry.id === openId}
              wraps={heightOf(line, width) > ROW_PX}
              rovingProps={roving.itemProps(line.entry.id)}
              style={styleOf(at)}
              {...more}
            />
          )
        })}
      </ul>
    </div>
  )
}

function linesOf(entries: readonly HistoryEntry[]): readonly Line[] {
  return entries.flatMap((entry, index): Line[] => {
    const day = startOfDay(entry.at)
    const before = entries[index - 1]
    const isNew = before === undefined || startOfDay(before.at) !== day
    return [...(isNew ? [{ kind: 'day', at: day } as const] : []), { kind: 'entry', entry }]
  })
}

/** How high a line is where the list is this wide; before the first layout each is as usual. */
function heightOf(line: Line, width: number): number {
  if (line.kind === 'day') return HEAD_PX
  const room = width - BESIDE_PX - (line.entry.undo === undefined ? 0 : UNDO_PX)
  return width > 0 && lengthOf(line.entry) * CHARACTER_PX > room ? TALL_ROW_PX : ROW_PX
}

/** About how long the second line of an entry is, in characters, in any language. */
function lengthOf({ reason = '', how = '', seconds, changes }: HistoryEntry): number {
  const [first] = changes
  const change = first === undefined ? 0 : 20 + (first.from ?? '').length + (first.to ?? '').length
  return (
    reason.length + change + (how === '' ? 0 : 24) + (seconds === undefined ? 0 : 12) + (changes.length > 1 ? 16 : 0)
  )
}

type EntryProps = Pick<HistoryListProps, 'onOpen' | 'onUndo' | 'mayUndo' | 'undoReason'> & {
  readonly entry: HistoryEntry
  readonly isOpen: boolean
  /** Its second line has room for two. */
  readonly wraps: boolean
  readonly rovingProps: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly style: CSSProperties
}

function Entry({ entry, isOpen, wraps, rovingProps, style, onOpen, onUndo, mayUndo, undoReason }: EntryProps) {
  const t = useTexts('history')
  const formats = useFormats()
  const second = useSecondLine()(entry)
  return (
    <li className={cx(styles['row'], isOpen && styles['on'])} style={style}>
      <button
        type="button"
        className={styles['open']}
        aria-current={isOpen ? 'true' : undefined}
        {...rovingProps}
        onClick={() => onOpen(entry)}
      >
        <time className={styles['time']} dateTime={new Date(entry.at).toISOString()}>
          {formats.time(entry.at)}
        </time>
        {entry.byId === undefined ? (
          <span className={styles['square']}>
            <Icon name={signOf(entry)} size={15} />
          </span>
        ) : (
          <Portrait userId={entry.byId} size={24} />
        )}
        <span className={styles['text']}>
          <span className={styles['first']}>
            <Sentence entry={entry} />
          </span>
          {second === '' ? null : (
            <bdi className={cx(styles['second'], wraps ? styles['two'] : 'ellipsis')} title={second}>
              {second}
            </bdi>
          )}
        </span>
      </button>
      {entry.undo === undefined || !mayUndo(entry) ? null : (
        <Button
          size="small"
          aria-disabled={undoReason === undefined ? undefined : true}
          title={undoReason}
          onClick={() => undoReason ?? onUndo(entry)}
        >
          {t('undo')}
        </Button>
      )}
    </li>
  )
}

const signOf = ({ action }: HistoryEntry): IconName => (action === 'user.ban_ended' ? 'clock' : 'key')

type EntryPanelProps = { readonly entry: HistoryEntry; readonly onClose: () => void }

/** One action in full: every change, the versions of the message, and where it was. */
function EntryPanel({ entry, onClose }: EntryPanelProps) {
  const t = useTexts('history')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const second = useSecondLine()({ ...entry, changes: [] })
  const changeWords = useChangeWords()
  const mayReadAll = useMayManage('people')
  const { cid, messageId, targetId } = entry
  const isKnown = useAppSelector(({ entities }) => cid !== undefined && entities.channels[cid] !== undefined)
  return (
    <section className={styles['panel']} aria-label={t('panel.title')}>
      <header className={styles['panelHead']}>
        <h2>{t('panel.title')}</h2>
        <IconButton icon="x" label={t('panel.close')} onClick={onClose} />
      </header>
      <div className={styles['panelBody']}>
        <p className={styles['whole']}>
          <Sentence entry={entry} />
        </p>
        <p className={styles['faint']}>{formats.full(entry.at)}</p>
        {second === '' ? null : (
          <p className={styles['whole']}>
            <bdi>{second}</bdi>
          </p>
        )}
        {entry.changes.length === 0 ? null : (
          <section aria-label={t('panel.changes')}>
            <h3>{t('panel.changes')}</h3>
            <ul>
              {entry.changes.map((change, index) => (
                <li key={index}>
                  <bdi>{changeWords(change)}</bdi>
                </li>
              ))}
            </ul>
          </section>
        )}
        {messageId !== undefined && entry.action === 'message.edit' && mayReadAll ? (
          <MessageVersions key={entry.id} messageId={messageId} />
        ) : null}
        <div className={styles['doors']}>
          {messageId !== undefined && cid !== undefined && isKnown ? (
            <Button size="small" onClick={() => dispatch(placeOpened({ cid, messageId }))}>
              {t('panel.open')}
            </Button>
          ) : null}
          {targetId === undefined ? null : (
            <Button size="small" onClick={() => dispatch(dialogOpened({ kind: 'person', userId: targetId }))}>
              {t('panel.person')}
            </Button>
          )}
        </div>
      </div>
    </section>
  )
}

function MessageVersions({ messageId }: { readonly messageId: NonNullable<HistoryEntry['messageId']> }) {
  const t = useTexts('history')
  const errorText = useErrorText()
  const { value, error } = useLoaded(useMemo(() => loadVersions({ messageId }), [messageId]))
  return (
    <section aria-label={t('panel.versions')}>
      <h3>{t('panel.versions')}</h3>
      {value !== undefined ? (
        <Versions versions={value.toReversed()} createdAt={value.at(-1)?.at ?? 0} />
      ) : error === undefined ? (
        <div role="status" aria-label={t('panel.loading')}>
          <Spinner />
        </div>
      ) : (
        <p className={styles['faint']}>{error.code === 'server/not-found' ? t('panel.gone') : errorText(error)}</p>
      )}
    </section>
  )
}

type Input<Name extends keyof EngineClient['history']> = Parameters<EngineClient['history'][Name]>[0]

// Quiet: the errors are shown in place.
const loadHistory = command('history/asked', (input: Input<'list'>, engine) => engine.history.list(input), {
  quiet: true,
})
const loadVersions = command('history/versions', (input: Input<'versions'>, engine) => engine.history.versions(input), {
  quiet: true,
})
const undoAction = command('history/undone', (input: Input<'undo'>, engine) => engine.history.undo(input))
const exportHistory = command(
  'history/exported',
  (input: Parameters<EngineClient['data']['exportHistory']>[0], engine) => engine.data.exportHistory(input),
)
const showFile = command('history/fileShown', (_: void, engine) => engine.data.showFolder({ which: 'exported' }))
