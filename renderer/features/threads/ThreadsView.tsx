import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useConnection } from '../../store/hooks.ts'
import { THREAD_FILTERS, threadsFiltered, type ThreadFilter } from '../../store/window/views.ts'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { Segments } from '../../ui/Choice/Segments.tsx'
import { View } from '../../ui/View/View.tsx'
import { ConnectionBanner } from '../connection/index.ts'
import { InboxState } from './InboxState.tsx'
import { ThreadList } from './ThreadList.tsx'
import { useInbox } from './use-inbox.ts'
import { useReadAll } from './use-read-all.ts'
import styles from './Inbox.module.css'

type Props = {
  /** Below 640 px: goes back to the channel list. */
  readonly onBack?: () => void
}

/** All threads the viewer takes part in or follows, across channels. */
export function ThreadsView({ onBack }: Props) {
  const t = useTexts('thread')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const filter = useAppSelector(({ views }) => views.threads)
  const list = useInbox(filter)
  const { offline } = useConnection()
  const unread = useAppSelector(({ entities }) => entities.inbox['self']?.unreadThreads ?? 0)
  const choose = (value: ThreadFilter) => dispatch(threadsFiltered(value))
  const readAll = useReadAll(list.unread)
  return (
    <View
      icon="thread"
      title={t('inbox.title')}
      {...(list.followed === undefined || list.followed === 0
        ? {}
        : { subtitle: t('inbox.followed', { count: list.followed }) })}
      actions={
        // One button for both actions, so that the focus stays on Undo.
        list.unread.length === 0 && readAll.undo === undefined ? undefined : (
          <IconButton
            icon={readAll.undo === undefined ? 'check-double' : 'undo'}
            label={readAll.undo === undefined ? t('inbox.readAll') : t('inbox.undoRead')}
            onClick={() => void (readAll.undo ?? readAll.run)()}
          />
        )
      }
      back={onBack && { label: common('back'), onPress: onBack }}
      banner={<ConnectionBanner />}
    >
      <div className={styles['column']} aria-busy={list.loading}>
        <div className={styles['filters']}>
          <Segments
            label={t('inbox.filter')}
            value={filter}
            choices={THREAD_FILTERS.map((value) => ({
              value,
              label: t(`inbox.filters.${value}`),
              count:
                value === 'unread' ? { value: unread, name: t('inbox.filters.unreadCount', { unread }) } : undefined,
            }))}
            onChange={choose}
          />
          <span className={styles['order']}>{t('inbox.order')}</span>
        </div>
        {list.ids.length === 0 ? (
          <InboxState list={list} filter={filter} onAll={() => choose('all')} />
        ) : (
          <ThreadList list={list} offline={offline} />
        )}
      </div>
    </View>
  )
}
