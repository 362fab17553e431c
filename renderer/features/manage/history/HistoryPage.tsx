import { useMemo, useState } from 'react'
import type { SavedHistory } from '#shared/domain/export.ts'
import type { HistoryEntry, HistoryFilter } from '#shared/domain/manage/review.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { ok } from '#shared/lib/app-error.ts'
import { startOfDay, useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { byCursor, Listed, Page, useManage, useMayManage, usePagesOf, useReturnToRow } from '../index.ts'
import { exportHistory, loadHistory, showFile, undoAction } from './commands.ts'
import { EntryPanel } from './EntryPanel.tsx'
import { Filters, NO_CHOICE, type Choice } from './Filters.tsx'
import { HistoryList } from './HistoryList.tsx'
import { KINDS } from './words.ts'
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
