import { useEffect, useId } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useAppDispatch, useAppSelector, useAttachCount, useConnection, useEngine } from '../../store/hooks.ts'
import { Empty } from '../../ui/View/Empty.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { PanelHead } from '../channel/index.ts'
import type { OutboxItem } from '#shared/domain/outbox.ts'
import { retryItem, tryNow } from './commands.ts'
import { OutboxRow } from './OutboxRow.tsx'
import { selectParked, selectWaiting } from '../../store/composers/unsent.ts'
import styles from './Outbox.module.css'

/** Pending items, and below them those that need the user's attention. */
export function OutboxPanel() {
  const t = useTexts('outbox')
  const headingId = useId()
  const waiting = useAppSelector(selectWaiting)
  const parked = useAppSelector(selectParked)
  const { offline } = useConnection()
  useOutboxWindow()
  const count = waiting.length + parked.length
  return (
    <>
      <PanelHead id={headingId} title={t('title')} sub={count === 0 ? undefined : t('summary', { count })}>
        {count === 0 ? null : <TryAll parked={parked} />}
      </PanelHead>
      <div className={styles['body']} data-outbox={count}>
        {count === 0 ? (
          <Empty scene="outbox" title={t('empty')}>
            {t('emptyText')}
          </Empty>
        ) : null}
        <Group title={offline ? t('waitingForConnection') : t('onItsWay')} items={waiting} />
        <Group title={t('help')} items={parked} needsHelp />
      </div>
      <p className={styles['note']}>{t('order')}</p>
    </>
  )
}

type GroupProps = { readonly title: string; readonly items: readonly OutboxItem[]; readonly needsHelp?: boolean }

function Group({ title, items, needsHelp = false }: GroupProps) {
  const id = useId()
  if (items.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={cx(styles['heading'], needsHelp && styles['help'])}>
        {title} <span className={styles['count']}>{items.length}</span>
      </h3>
      <ul>
        {items.map((item) => (
          <OutboxRow key={item.id} item={item} />
        ))}
      </ul>
    </section>
  )
}

/** Reconnects at once and retries every retryable item. */
function TryAll({ parked }: { readonly parked: readonly OutboxItem[] }) {
  const t = useTexts('outbox')
  const dispatch = useAppDispatch()
  return (
    <IconButton
      icon="refresh"
      label={t('tryAll')}
      onClick={() => {
        void dispatch(tryNow())
        for (const { id, retryable } of parked) if (retryable) void dispatch(retryItem({ id }))
      }}
    />
  )
}

/** Keeps the outbox window of the engine open while the panel is mounted. */
function useOutboxWindow(): void {
  const engine = useEngine()
  const attachCount = useAttachCount()
  useEffect(() => {
    if (attachCount === 0) return undefined
    engine.outbox.open().catch((error: unknown) => console.debug('outbox not opened', error))
    return () => {
      engine.outbox.close().catch((error: unknown) => console.debug('outbox not closed', error))
    }
  }, [engine, attachCount])
}
