import type { MessageId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useMinute } from '../../lib/use-minute.ts'
import { Button } from '../../ui/Button.tsx'
import type { MountedList } from './list/use-list-view.ts'
import { LostLine, SystemLine } from './MessageBody.tsx'
import { MessageRow } from './MessageRow.tsx'
import type { Row } from './model/rows.ts'
import styles from './MessagePane.module.css'

type Props = {
  readonly list: MountedList
  readonly activeId: string | undefined
  readonly heldId: string | undefined
  readonly readers: ReadonlyMap<string, readonly string[]>
  readonly newestOwn: string | undefined
  readonly onGap: (messageId: MessageId) => void
}

/** The mounted rows between their spacers. */
export function PaneRows({ list: { attach, before, after, rows }, ...rest }: Props) {
  return (
    <div ref={attach} className={styles['rows']}>
      <div style={{ height: before }} />
      {rows.map((row) => (
        <div key={row.key} data-row={row.key} className={styles['slot']}>
          <RowView row={row} {...rest} />
        </div>
      ))}
      <div style={{ height: after }} />
    </div>
  )
}

function RowView({ row, activeId, heldId, readers, newestOwn, onGap }: Omit<Props, 'list'> & { readonly row: Row }) {
  switch (row.kind) {
    case 'day':
      return <DayLine at={row.at} />
    case 'unread':
      return <NewLine count={row.count} />
    case 'gap':
      return <Gap onLoad={() => onGap(row.beforeId)} />
    case 'lost':
      return <LostLine at={row.at} />
    case 'system':
      return <SystemLine id={row.id} focusable={activeId === row.id} />
    case 'message':
      return (
        <MessageRow
          id={row.id}
          continued={row.continued}
          focusable={activeId === row.id}
          held={heldId === row.id}
          readers={readers.get(row.id)}
          newestOwn={newestOwn === row.id}
        />
      )
  }
}

/** The words of a day: today, yesterday, a weekday, a date. Right again after midnight. */
export function useDayWords(at: number): string {
  const formats = useFormats()
  const now = useMinute()
  return formats.day(at, now)
}

function DayLine({ at }: { readonly at: number }) {
  const words = useDayWords(at)
  return (
    <div className={styles['day']} role="separator" aria-label={words}>
      <span>{words}</span>
    </div>
  )
}

function NewLine({ count }: { readonly count: number }) {
  const t = useTexts('messages')
  return (
    <div className={styles['newLine']} role="separator" aria-label={t('unread.label', { count })}>
      <span>{t('unread.count', { count })}</span>
    </div>
  )
}

function Gap({ onLoad }: { readonly onLoad: () => void }) {
  const t = useTexts('messages')
  return (
    <div className={styles['gap']}>
      <span>{t('gap.label')}</span>
      <Button variant="quiet" size="small" onClick={onLoad}>
        {t('gap.load')}
      </Button>
    </div>
  )
}
