import { useId, useState } from 'react'
import type { OutboxItem } from '#shared/domain/outbox.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { useMenu } from '../../ui/Menu/Menu.tsx'
import { channelTitle } from '../sidebar/index.ts'
import { ScheduleDialog } from '../composer/index.ts'
import { selectScheduled } from '../../store/composers/unsent.ts'
import { takeBackItem } from '../outbox/index.ts'
import { reschedule } from './commands.ts'
import styles from './Drafts.module.css'

/** Scheduled messages, the soonest first; nothing if there are none. */
export function Scheduled() {
  const t = useTexts('drafts')
  const headId = useId()
  const items = useAppSelector(selectScheduled)
  const { containerProps, itemProps } = useRoving({ ids: items.map(({ id }) => id) })
  const { ref, ...listeners } = containerProps
  if (items.length === 0) return null
  return (
    <section className={styles['scheduled']} aria-labelledby={headId}>
      <h2 id={headId}>{t('scheduled.title')}</h2>
      <p>{t('scheduled.mustBeOpen')}</p>
      <ul
        ref={(element) => {
          ref.current = element
        }}
        aria-labelledby={headId}
        {...listeners}
      >
        {items.map((item) => (
          <ScheduledRow key={item.id} item={item} tabStop={itemProps(item.id)} />
        ))}
      </ul>
    </section>
  )
}

type RowProps = {
  readonly item: OutboxItem & { readonly sendAt: number }
  readonly tabStop: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
}

function ScheduledRow({ item, tabStop }: RowProps) {
  const t = useTexts('drafts')
  const { dayAndTime } = useFormats()
  const dispatch = useAppDispatch()
  const place = useAppSelector((state) => channelTitle(state, item.cid)) || t('unknownPlace')
  const [choosing, setChoosing] = useState(false)
  const { menu, openAt } = useMenu({
    label: t('scheduled.menu', { place }),
    items: () => [
      {
        id: 'now',
        icon: 'arrow-up',
        label: t('scheduled.now'),
        onSelect: () => void dispatch(reschedule({ id: item.id })),
      },
      { id: 'change', icon: 'alarm', label: t('scheduled.change'), onSelect: () => setChoosing(true) },
      {
        id: 'edit',
        icon: 'undo',
        label: t('scheduled.edit'),
        onSelect: () => void dispatch(takeBackItem({ id: item.id })),
      },
    ],
    placement: { side: 'below', align: 'end', gap: 4 },
  })
  return (
    <li className={styles['row']} data-scheduled={item.id}>
      <button
        type="button"
        className={styles['open']}
        aria-haspopup="menu"
        {...tabStop}
        onClick={(event) => openAt(event.currentTarget)}
      >
        <span className={styles['glyph']}>
          <Icon name="clock" size={18} />
        </span>
        <span className={styles['body']}>
          <span className={styles['where']}>
            <b>{place}</b>
            {item.fileCount > 0 ? (
              <span className={styles['tag']}>
                <Icon name="paperclip" size={12} />
                {t('files', { count: item.fileCount })}
              </span>
            ) : null}
          </span>
          <span className={styles['text']}>{item.summary || t('noText')}</span>
        </span>
        <span className={styles['when']}>{t('scheduled.when', { when: dayAndTime(item.sendAt) })}</span>
      </button>
      <span className={styles['actions']}>
        <IconButton
          size="small"
          icon="more"
          label={t('scheduled.menu', { place })}
          aria-haspopup="menu"
          onClick={(event) => openAt(event.currentTarget)}
        />
      </span>
      {menu}
      {choosing ? (
        <ScheduleDialog
          start={item.sendAt}
          onChoose={(at) => void dispatch(reschedule({ id: item.id, at }))}
          onClose={() => setChoosing(false)}
        />
      ) : null}
    </li>
  )
}
