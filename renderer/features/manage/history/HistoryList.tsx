import { useCallback, useEffect, useMemo, type CSSProperties } from 'react'
import type { HistoryEntry } from '#shared/domain/manage/review.ts'
import { startOfDay, useFormats, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useVirtualRows } from '../../../lib/page/use-virtual-rows.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import type { IconName } from '../../../ui/Icon/icon-names.ts'
import { Portrait } from '../../people/index.ts'
import { Sentence } from './Sentence.tsx'
import { useSecondLine } from './words.ts'
import styles from './History.module.css'

const HEAD_PX = 38
const ROW_PX = 50
/** More rows are asked for this many before the end. */
const AHEAD = 10

type Line = { readonly kind: 'day'; readonly at: number } | { readonly kind: 'entry'; readonly entry: HistoryEntry }

type Props = {
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
export function HistoryList({ entries, openId, onEnd, ...more }: Props) {
  const t = useTexts('history')
  const formats = useFormats()
  const now = useMinute()
  const lines = useMemo(() => linesOf(entries), [entries])
  const heights = useMemo(() => lines.map(({ kind }) => (kind === 'day' ? HEAD_PX : ROW_PX)), [lines])
  const places = useMemo(
    () => new Map(lines.flatMap((line, at) => (line.kind === 'entry' ? [[line.entry.id, at] as const] : []))),
    [lines],
  )
  const ids = useMemo(() => entries.map(({ id }) => id), [entries])
  const { attach, total, shown, styleOf, reveal: revealRow } = useVirtualRows({ heights })
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

type EntryProps = Pick<Props, 'onOpen' | 'onUndo' | 'mayUndo' | 'undoReason'> & {
  readonly entry: HistoryEntry
  readonly isOpen: boolean
  readonly rovingProps: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly style: CSSProperties
}

function Entry({ entry, isOpen, rovingProps, style, onOpen, onUndo, mayUndo, undoReason }: EntryProps) {
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
            <bdi className={cx(styles['second'], 'ellipsis')} title={second}>
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
